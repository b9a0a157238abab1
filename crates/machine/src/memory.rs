//! What the system is asked for about memory: how much there is, huge pages, with which a random
//! access to a big array needs no walk through the page table, and to take back what is freed.

/// Asks the system to keep memory that is not yet in use in huge pages. It may decline.
pub fn huge_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let start = memory.as_mut_ptr() as usize;
        let first = start.next_multiple_of(PAGE);
        let end = start + size_of_val(memory);
        if first < end {
            // SAFETY: the pages lie inside memory that is borrowed for writing, and the advice
            // changes nothing that it holds.
            unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// A vector in huge pages, filled with what `value` gives.
pub fn filled<T>(len: usize, value: impl FnMut() -> T) -> Vec<T> {
    let mut vector = Vec::with_capacity(len);
    huge_pages(vector.spare_capacity_mut());
    vector.resize_with(len, value);
    vector
}

/// Zeros in huge pages, which the system brings only when they are first written to.
pub fn zeros(len: usize) -> Vec<u16> {
    let mut vector = vec![0; len];
    huge_pages(&mut vector);
    vector
}

/// Asks for big arrays to be given back to the system as soon as they are freed. By default the
/// allocator learns to keep what it once freed, and arrays of other sizes come on top of it.
pub fn give_back_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const BIG: libc::c_int = 1 << 20;
        // SAFETY: this only sets a number that the allocator goes by.
        unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, BIG) };
    }
}

/// The memory that this process may have, in bytes, if the system tells: that of the machine, or of
/// the container, or what `ulimit -v` says, whatever is least.
pub fn machine_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let word = |text: &str, line: &str, nth: usize| {
        let found = text.lines().find(|found| found.starts_with(line))?;
        found[line.len()..].split_whitespace().nth(nth)?.parse::<u64>().ok()
    };
    let machine = read("/proc/meminfo").and_then(|text| word(&text, "MemTotal:", 0));
    let addresses = read("/proc/self/limits").and_then(|text| word(&text, "Max address space", 0));
    let container = read("/sys/fs/cgroup/memory.max").and_then(|text| word(&text, "", 0));
    let all = [machine.map(|kilobytes| kilobytes << 10), addresses, container];
    all.into_iter().flatten().min()
}
