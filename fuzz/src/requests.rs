//! Addresses, queries and bodies.

use crate::{SMALL, build, registry, scratch};
use kanzen::serve::{Request, Site, Tables, answer};
use kanzen::solve::Job;
use std::sync::Arc;

thread_local! {
    static SITE: (tempfile::TempDir, Arc<Site>) = {
        let dir = scratch();
        for game in SMALL {
            build(game).solve(dir.path(), None, &Job { threads: 1, ..Job::default() }).unwrap();
        }
        let site = Site::new(Tables::new(registry(), dir.path().to_owned()));
        (dir, Arc::new(site))
    };
}

/// An address, and in the next line the body of a request.
///
/// # Panics
/// If the answer says that it is the program's fault.
pub fn target(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (address, body) = text.split_once('\n').unwrap_or((&text, ""));
    let body = (!body.is_empty()).then_some(body.as_bytes());
    SITE.with(|(_, site)| {
        let request = Request { address, accept_language: "ja;q=0.5", body };
        let answer = answer(site, request);
        let known = answer.status < 500 || answer.status == 503;
        assert!(known, "{}: {}", answer.status, String::from_utf8_lossy(&answer.body));
    });
}
