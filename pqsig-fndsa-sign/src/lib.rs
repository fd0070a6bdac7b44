//! pqsig-fndsa-sign
