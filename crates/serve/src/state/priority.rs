//! Who goes first on a busy machine: whoever waits for a page.

/// Lets all other threads go first from now on, this one and those that it starts.
pub fn go_last() {
    #[cfg(target_os = "linux")]
    // SAFETY: it takes numbers, of which 0 stands for this thread, and its failure changes nothing.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, 19);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// The priority of this thread, the 17th word of the part of its line that comes after its name.
    fn nice() -> i32 {
        let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let words = line.rsplit_once(") ").unwrap().1;
        words.split(' ').nth(16).unwrap().parse().unwrap()
    }

    #[test]
    fn work_in_the_background_goes_last() {
        use crate::state::background::Queue;
        let Queue::Thread(queue) = Queue::thread() else { panic!("a thread") };
        let (send, receive) = channel();
        let work = move || {
            let beside = rayon::join(nice, nice);
            send.send(beside).unwrap();
        };
        queue.send(Box::new(work)).unwrap();
        assert_eq!(receive.recv().unwrap(), (19, 19));
        assert_ne!(nice(), 19, "others are as they were");
        go_last();
        assert_eq!(nice(), 19);
    }
}
