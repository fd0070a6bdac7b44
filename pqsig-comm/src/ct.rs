//! Constant-time helpers and the marks that let a tool check the claim.
//!
//! [`secret`] and [`public`] do nothing in an ordinary build. Under `--cfg pqsig_ctgrind` on
//! x86-64 they tell valgrind's memcheck that bytes are undefined (secret) or defined again
//! (public); a branch or an address that depends on an undefined byte is then reported. Each
//! `public`, `public_flag` or `declassify` in the crates is a declassification and carries its
//! reason: together they are the list to audit.

use ctutils::CtEq;

/// Compares two byte strings in time that depends on their lengths only.
#[must_use]
pub fn eq(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).to_bool()
}

/// Hides a value from the optimiser, so that a mask computed from it stays a mask.
#[inline(always)]
#[must_use]
pub fn barrier<T: Copy>(value: T) -> T {
    core::hint::black_box(value)
}

/// Marks the bytes of `value` as secret.
#[inline(always)]
pub fn secret<T: ?Sized>(value: &T) {
    mark::request(mark::UNDEFINED, value);
}

/// Marks the bytes of `value` as public: a declassification, to be justified where it is called.
#[inline(always)]
pub fn public<T: ?Sized>(value: &T) {
    mark::request(mark::DEFINED, value);
}

/// Declassifies a value, and returns it: for values that the compiler may hold in a register,
/// where the mark of [`public`] does not reach.
#[inline(always)]
#[must_use]
pub fn declassify<T: Copy>(value: T) -> T {
    #[cfg(all(pqsig_ctgrind, target_arch = "x86_64"))]
    {
        // The barriers make the compiler read back what the mark was set on.
        let mut value = value;
        let place = core::hint::black_box(&mut value);
        public(place);
        return *core::hint::black_box(place);
    }
    #[cfg(not(all(pqsig_ctgrind, target_arch = "x86_64")))]
    value
}

/// Declassifies a flag, and returns it.
#[inline(always)]
#[must_use]
pub fn public_flag(flag: bool) -> bool {
    declassify(flag)
}

#[cfg(not(all(pqsig_ctgrind, target_arch = "x86_64")))]
mod mark {
    pub(super) const UNDEFINED: usize = 0;
    pub(super) const DEFINED: usize = 0;

    #[inline(always)]
    pub(super) fn request<T: ?Sized>(_: usize, _: &T) {}
}

#[cfg(all(pqsig_ctgrind, target_arch = "x86_64"))]
#[allow(unsafe_code)]
mod mark {
    /// memcheck's request codes ("MC" in the two high bytes).
    pub(super) const UNDEFINED: usize = 0x4d43_0001;
    pub(super) const DEFINED: usize = 0x4d43_0002;

    pub(super) fn request<T: ?Sized>(code: usize, value: &T) {
        let args: [usize; 6] = [
            code,
            core::ptr::from_ref(value).cast::<u8>() as usize,
            size_of_val(value),
            0,
            0,
            0,
        ];
        // SAFETY: outside valgrind the four rotations leave rdi as it was and the exchange does
        // nothing; inside, valgrind reads the six words of `args` and changes rdx only. The
        // asm is a full compiler barrier, so marked bytes are in memory when it runs.
        unsafe {
            core::arch::asm!(
                "rol rdi, 3",
                "rol rdi, 13",
                "rol rdi, 61",
                "rol rdi, 51",
                "xchg rbx, rbx",
                inout("rdx") 0usize => _,
                in("rax") args.as_ptr(),
                inout("rdi") 0usize => _,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn eq_compares_every_byte_and_the_length() {
        let a: [u8; 64] = core::array::from_fn(|i| i as u8);
        assert!(super::eq(&a, &a));
        for i in 0..a.len() {
            let mut b = a;
            b[i] ^= 0x80;
            assert!(!super::eq(&a, &b));
            assert!(!super::eq(&a, &a[..i]));
        }
        assert!(super::eq(&[], &[]));
    }
}
