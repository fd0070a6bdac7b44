//! pqsig-fndsa-vrfy
