//! Memory as the processor likes it: asked for ahead of time.
//!
//! The only unsafe code of the library is here. Everything works without it, and more slowly: where a processor has no such
//! thing, the functions do nothing.
#![allow(unsafe_code)]

/// Asks the processor to fetch an element that will be needed soon; nothing if there is none of that number.
#[inline]
pub fn prefetch<T>(slice: &[T], at: usize) {
    let Some(element) = slice.get(at) else { return };
    #[cfg(target_arch = "x86_64")]
    // SAFETY: fetching changes nothing but the cache, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}
