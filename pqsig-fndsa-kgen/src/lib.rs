//! pqsig-fndsa-kgen
