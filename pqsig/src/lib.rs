//! pqsig
