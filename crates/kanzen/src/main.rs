//! `kanzen`: solves board games completely and lets people look into the result.

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;

fn main() -> ExitCode {
    kanzen::main(kanzen_games::all())
}

#[global_allocator]
static MEMORY: Memory = Memory;

/// The system's memory. When there is none left the program says so and ends with an error; it would
/// abort otherwise.
struct Memory;

impl Memory {
    fn expect(memory: *mut u8) -> *mut u8 {
        if memory.is_null() {
            end(b"error: the system has no memory left for this: allow more, or choose something smaller\n");
        }
        memory
    }
}

/// Says something and ends with an error, without any memory: what else is done at the end of a program
/// would ask for some and come here again.
#[cfg(unix)]
fn end(told: &[u8]) -> ! {
    // SAFETY: the bytes are there, and neither call touches anything else of the program.
    unsafe {
        libc::write(libc::STDERR_FILENO, told.as_ptr().cast(), told.len());
        libc::_exit(1)
    }
}

#[cfg(not(unix))]
fn end(told: &[u8]) -> ! {
    use std::io::Write;
    // There is nothing to be done if this fails.
    let _ = std::io::stderr().write_all(told);
    std::process::exit(1)
}

// SAFETY: everything is left to the system's allocator, whose promises hold; what it cannot give is
// never returned.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the same promises to this allocator as to the system's.
        Memory::expect(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        Memory::expect(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        Memory::expect(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}
