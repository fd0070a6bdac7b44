//! What the FN-DSA crates share.
