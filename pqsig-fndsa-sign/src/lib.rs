//! FN-DSA signing.
#![no_std]
#![deny(unsafe_code)]

mod complex;
mod ffsampling;
mod fft;
mod flr;
mod ntru;
mod roots;
mod sampler;
mod secret;
mod sign;
mod word;

#[cfg(test)]
mod tests;
