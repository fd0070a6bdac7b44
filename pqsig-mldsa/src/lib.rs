//! pqsig-mldsa
