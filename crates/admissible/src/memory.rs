//! Fast memory: cache-line alignment, huge pages, prefetching and vector instructions.
//!
//! This is the only unsafe code of the library. On a platform that lacks a feature, the functions do nothing or take a
//! slower path with the same result.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;

/// A cache line: eight words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u64; 8]);

impl Line {
    /// Compares the line with `words` in the bits of `bits`: bit `i` of the result is set if word `i` matches. Written
    /// with vector instructions: compilers do not find them, and a loop over words would dominate the lookup.
    #[inline]
    pub(crate) fn matches(&self, words: [u64; 8], bits: [u64; 8]) -> u8 {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
        // SAFETY: the target has AVX-512F, and exactly one line is read.
        return unsafe {
            use std::arch::x86_64::{_mm512_load_si512, _mm512_loadu_si512, _mm512_testn_epi64_mask, _mm512_xor_si512};
            let line = _mm512_load_si512(self.0.as_ptr().cast());
            let differences = _mm512_xor_si512(line, _mm512_loadu_si512(words.as_ptr().cast()));
            _mm512_testn_epi64_mask(differences, _mm512_loadu_si512(bits.as_ptr().cast()))
        };
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx512f")))]
        // SAFETY: every x86-64 processor has SSE2, and exactly one line is read, a quarter at a time.
        return unsafe {
            use std::arch::x86_64::{
                _mm_and_si128, _mm_cmpeq_epi16, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
                _mm_packs_epi32, _mm_set1_epi16, _mm_setzero_si128, _mm_xor_si128,
            };
            // Two words, each as two halves: -1 for a half that matches, 0 for one that does not.
            let quarter = |first: usize| {
                let load = |words: &[u64; 8]| _mm_loadu_si128(words[first..first + 2].as_ptr().cast());
                let differences = _mm_and_si128(_mm_xor_si128(load(&self.0), load(&words)), load(&bits));
                _mm_cmpeq_epi32(differences, _mm_setzero_si128())
            };
            // One byte for each half, so a word matches if 16 bits are set.
            let low = _mm_packs_epi32(quarter(0), quarter(2));
            let high = _mm_packs_epi32(quarter(4), quarter(6));
            let whole = _mm_cmpeq_epi16(_mm_packs_epi16(low, high), _mm_set1_epi16(-1));
            _mm_movemask_epi8(_mm_packs_epi16(whole, _mm_setzero_si128())) as u8
        };
        #[cfg(not(target_arch = "x86_64"))]
        self.matches_by_word(words, bits)
    }

    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn matches_by_word(&self, words: [u64; 8], bits: [u64; 8]) -> u8 {
        let is_match = |at: usize| (self.0[at] ^ words[at]) & bits[at] == 0;
        (0..8).fold(0, |matches, at| matches | u8::from(is_match(at)) << at)
    }
}

/// Work that is faster with the instructions of newer processors; see [`for_this_processor`].
pub trait Work {
    /// The result.
    type Out;
    /// Does the work. Mark it, and every hot function that it calls, `#[inline(always)]`: only inlined code is compiled
    /// for the newer instructions.
    fn run(self) -> Self::Out;
}

/// Runs `work` with AVX2 and BMI instructions if the processor has them, which is tested at run time. Variable shifts,
/// which read packed boards, are faster with them: IDA* on tiles gains a fifth.
#[inline]
pub fn for_this_processor<W: Work>(work: W) -> W::Out {
    #[cfg(all(target_arch = "x86_64", not(all(target_feature = "avx2", target_feature = "bmi2"))))]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn run<W: Work>(work: W) -> W::Out {
            work.run()
        }
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        if has_all {
            // SAFETY: the processor has these instructions.
            return unsafe { run(work) };
        }
    }
    work.run()
}

/// Prefetches an element; does nothing if `at` is out of range.
#[inline]
pub fn prefetch<T>(elements: &[T], at: usize) {
    if at < elements.len() {
        prefetch_address(elements.as_ptr().wrapping_add(at));
    }
}

/// Prefetches the memory `count` elements after this one, whether or not it is in use.
#[inline]
pub(crate) fn prefetch_after<T>(element: &T, count: usize) {
    prefetch_address(std::ptr::from_ref(element).wrapping_add(count));
}

#[inline]
fn prefetch_address<T>(element: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes only the cache, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(element.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch changes only the cache, whatever the address.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{0}]", in(reg) element, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = element;
}

/// The size of a huge page. In a table of many megabytes on small pages, almost every access walks the page tables.
const LARGE_PAGE: usize = 2 << 20;

/// A fixed number of cache lines, initially zero. Lines that were never written take no memory.
#[derive(Debug)]
pub(crate) struct Lines {
    /// The allocation, which begins before the first line.
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<Line>,
    count: usize,
}

// SAFETY: the lines are plain words that this value owns.
unsafe impl Send for Lines {}
// SAFETY: likewise; a shared reference only reads.
unsafe impl Sync for Lines {}

impl Lines {
    /// `count` lines, at least one.
    pub(crate) fn new(count: usize) -> Self {
        let count = count.max(1);
        let size = count.checked_mul(size_of::<Line>()).expect("a table fits into the address space");
        let alignment = if size >= LARGE_PAGE { LARGE_PAGE } else { align_of::<Line>() };
        // With a larger alignment the allocator would write all zeros itself. So the block takes more address space
        // (not more memory) than needed, and the lines begin at the first aligned address.
        let layout = Layout::from_size_align(size + alignment, align_of::<u64>()).expect("a table fits into memory");
        // SAFETY: the layout is not empty.
        let Some(block) = NonNull::new(unsafe { alloc_zeroed(layout) }) else { handle_alloc_error(layout) };
        let skip = block.as_ptr().align_offset(alignment);
        assert!(skip <= alignment, "the block has room for the alignment");
        // SAFETY: `skip + size` bytes are within the block.
        let first = unsafe { block.add(skip) }.cast::<Line>();
        use_large_pages(first, size);
        Lines { block, layout, first, count }
    }

    /// The words of all lines.
    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: a line is eight words and nothing else, and `self` is borrowed mutably.
        unsafe { slice::from_raw_parts_mut(self.first.as_ptr().cast(), 8 * self.count) }
    }

    /// Moves these lines to the beginning of a table of `count` lines, which is no smaller. Returns copied pages to the
    /// system as it goes, so the peak is one table and not two; the contents of `self` are lost. `None` if `give_up`,
    /// which is called every few milliseconds, returns true.
    pub(crate) fn moved_into(&mut self, count: usize, mut give_up: impl FnMut() -> bool) -> Option<Lines> {
        let mut lines = Lines::new(count);
        for at in (0..self.count).step_by(PART) {
            if give_up() {
                return None;
            }
            let part = at..self.count.min(at + PART);
            lines[part.clone()].copy_from_slice(&self[part.clone()]);
            if part.len() == PART {
                release(&mut self[part]);
            }
        }
        Some(lines)
    }
}

/// Lines that are copied and returned to the system at a time: a few huge pages.
const PART: usize = 4 * LARGE_PAGE / size_of::<Line>();

impl Drop for Lines {
    fn drop(&mut self) {
        // SAFETY: the block was allocated with this layout, and this value owns it.
        unsafe { dealloc(self.block.as_ptr(), self.layout) }
    }
}

impl Deref for Lines {
    type Target = [Line];

    #[inline]
    fn deref(&self) -> &[Line] {
        // SAFETY: there are `count` lines of initialised words from `first` on, aligned, and as long as `self` lives.
        unsafe { slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl DerefMut for Lines {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Line] {
        // SAFETY: as above, and `self` is borrowed mutably.
        unsafe { slice::from_raw_parts_mut(self.first.as_ptr(), self.count) }
    }
}

/// Makes the allocator map each large block separately, for programs with a memory limit. By default glibc starts to
/// take them from its heap once some were freed: there a growing list is copied and leaves an unused hole behind. Call
/// it before anything is allocated.
pub fn take_large_blocks_singly() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it changes only where later blocks come from.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 18);
    }
}

/// The end of a pipe that the handler of [`on_exhaustion`] writes to.
#[cfg(unix)]
static EXHAUSTED: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(-1);

/// Installs `then` as the handler of a failed allocation, so that the program can print what it knows instead of
/// aborting. `then` runs on a thread of its own, after `reserve` bytes were freed for it, and must end the program: the
/// thread whose allocation failed blocks. Only the first call has an effect. It does nothing on targets without signals
/// or threads.
pub fn on_exhaustion(reserve: usize, then: impl FnOnce() + Send + 'static) {
    #[cfg(unix)]
    {
        use std::io::Read as _;
        use std::os::fd::IntoRawFd as _;
        use std::sync::atomic::Ordering::SeqCst;

        extern "C" fn stand_still(_signal: libc::c_int) {
            let pipe = EXHAUSTED.load(SeqCst);
            loop {
                // SAFETY: both calls are allowed in signal handlers, and the byte outlives the call.
                unsafe {
                    libc::write(pipe, [1_u8].as_ptr().cast(), 1);
                    libc::pause();
                }
            }
        }

        let Ok((mut waiting, waking)) = std::io::pipe() else { return };
        if EXHAUSTED.compare_exchange(-1, waking.into_raw_fd(), SeqCst, SeqCst).is_err() {
            return;
        }
        // Never touched, so it takes address space and no memory.
        let reserved: Vec<u8> = Vec::with_capacity(reserve);
        let wait = move || {
            if waiting.read_exact(&mut [0]).is_ok() {
                drop(reserved);
                then();
            }
        };
        let started = std::thread::Builder::new().name("out of memory".into()).stack_size(1 << 18).spawn(wait);
        if started.is_ok() {
            // SAFETY: the handler only writes to a pipe and stands still. A failed allocation ends in `abort`, which
            // raises this signal on the thread that failed.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = stand_still as extern "C" fn(libc::c_int) as libc::sighandler_t;
                libc::sigaction(libc::SIGABRT, &raw const action, std::ptr::null_mut());
            }
        }
    }
    #[cfg(not(unix))]
    let _ = (reserve, then);
}

/// An empty vector with room for `count` elements, on huge pages if the system has them: for tables with many random
/// accesses, or of gigabytes, of which freeing small pages takes tenths of a second.
///
/// # Panics
/// If the system has no memory for it.
pub fn large_vec<T>(count: usize) -> Vec<T> {
    try_large_vec(count).expect("the elements fit into memory")
}

/// [`large_vec`], or `None` if the system has no memory for it.
pub fn try_large_vec<T>(count: usize) -> Option<Vec<T>> {
    let mut room: Vec<T> = Vec::new();
    room.try_reserve_exact(count).ok()?;
    let bytes = room.spare_capacity_mut();
    let (begin, size) = (bytes.as_mut_ptr().cast::<u8>(), size_of_val(bytes));
    let skip = begin.align_offset(LARGE_PAGE);
    if let Some(size) = size.checked_sub(skip)
        && let Some(first) = NonNull::new(begin.wrapping_add(skip))
    {
        use_large_pages(first.cast(), size / LARGE_PAGE * LARGE_PAGE);
    }
    Some(room)
}

/// Requests huge pages for memory that was not touched yet. The system may decline.
#[cfg(target_os = "linux")]
fn use_large_pages(first: NonNull<Line>, size: usize) {
    if size >= LARGE_PAGE {
        // SAFETY: the range is ours and begins at a page; the advice has no observable effect.
        unsafe { libc::madvise(first.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn use_large_pages(_first: NonNull<Line>, _size: usize) {}

/// Returns the pages of some lines to the system; their contents are lost.
#[cfg(target_os = "linux")]
fn release(lines: &mut [Line]) {
    let size = size_of_val(lines);
    if size.is_multiple_of(LARGE_PAGE) && lines.as_ptr().addr().is_multiple_of(LARGE_PAGE) {
        // SAFETY: we own the pages, which hold plain words and read as zero afterwards.
        unsafe { libc::madvise(lines.as_mut_ptr().cast(), size, libc::MADV_DONTNEED) };
    }
}

#[cfg(not(target_os = "linux"))]
fn release(_lines: &mut [Line]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_zero_aligned_and_keep_what_is_written() {
        for count in [0, 1, 7, 1000, 40_000] {
            let mut lines = Lines::new(count);
            assert_eq!(lines.len(), count.max(1));
            assert!(lines.iter().all(|line| *line == Line([0; 8])));
            assert_eq!(lines.as_ptr().addr() % 64, 0);
            for (at, line) in lines.iter_mut().enumerate() {
                line.0 = [at as u64; 8];
            }
            (0..count).for_each(|at| prefetch(&lines, at));
            prefetch(&lines, usize::MAX);
            lines.iter().for_each(|line| prefetch_after(line, count));
            assert!(lines.iter().enumerate().all(|(at, line)| line.0 == [at as u64; 8]));
            assert!(lines.words_mut().iter().enumerate().all(|(at, word)| *word == at as u64 / 8));
        }
    }

    #[test]
    fn vector_and_scalar_comparison_of_a_line_agree() {
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            random >> 60
        };
        for _ in 0..1_000 {
            let [line, words, bits] = [0; 3].map(|_| std::array::from_fn(|_| next() << 60 | next()));
            let line = Line(line);
            assert_eq!(line.matches(words, bits), line.matches_by_word(words, bits));
            assert_eq!(line.matches(line.0, bits), u8::MAX);
            assert_eq!(line.matches(line.0.map(|word| !word), [1 << 63; 8]), 0);
        }
    }

    #[test]
    fn lines_move_into_a_larger_table() {
        for (old, new) in [(1, 1), (7, 9), (PART - 1, PART), (PART, 2 * PART), (3 * PART + 5, 4 * PART)] {
            let mut lines = Lines::new(old);
            for (at, line) in lines.iter_mut().enumerate() {
                line.0 = [at as u64 + 1; 8];
            }
            let moved = lines.moved_into(new, || false).expect("it is not stopped");
            let expected = |at: usize| if at < old { at as u64 + 1 } else { 0 };
            assert!(moved.iter().enumerate().all(|(at, line)| line.0 == [expected(at); 8]), "{old} to {new}");
            assert_eq!(moved.len(), new);
        }
        assert!(Lines::new(PART).moved_into(2 * PART, || true).is_none());
    }
}
