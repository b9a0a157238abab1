//! Loss of power: what is on the disk at any moment is enough to go on to the same bytes.
//!
//! The disk is a file. While a solve stands still, the file is copied: what the system had not yet written down is lost in
//! the copy, as it would be without power. ext4 is told not to help those who forget to sync.

use crate::{pick, program, scratch, tries};
use kanzen::analyse::Random;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const SOLVE: [&str; 6] = ["solve", "simpei", "-o", "pieces=3", "--checkpoint", "0"];
const TABLE: &str = "simpei-pieces-3.kanzen";

fn done(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// A disk that is mounted as long as this lives.
struct Mounted(PathBuf);

impl Mounted {
    fn new(image: &Path, at: &Path) -> Option<Mounted> {
        let options = "loop,noauto_da_alloc,data=writeback,commit=300";
        let mounted = done(Command::new("mount").args(["-o", options]).arg(image).arg(at));
        mounted.then(|| Mounted(at.to_owned()))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_solve_survives_the_loss_of_power() {
    let (place, reference) = (scratch(), scratch());
    let start = Instant::now();
    assert!(done(&mut program(reference.path(), &SOLVE)));
    let usual = start.elapsed();
    let expected = std::fs::read(reference.path().join(TABLE)).unwrap();
    let [fresh, image, after, at] =
        ["fresh", "image", "after", "at"].map(|name| place.path().join(name));
    std::fs::create_dir(&at).unwrap();
    std::fs::File::create(&fresh).unwrap().set_len(16 << 20).unwrap();
    let made = done(Command::new("mkfs.ext4").args(["-q", "-F"]).arg(&fresh));
    if !made || Mounted::new(&fresh, &at).is_none() {
        eprintln!("skipped: this needs ext4, and the right to mount a file");
        return;
    }
    std::fs::copy(&fresh, &image).unwrap();
    let mut random = Random::new(1);
    let (mut losses, mut finished, mut resumed) = (0, 0, 0);
    while losses < tries(40) || finished == 0 {
        let disk = Mounted::new(&image, &at).expect("the disk can be read after the loss");
        resumed += u64::from(at.join("simpei-pieces-3.checkpoint").join("state.json").exists());
        let mut child = program(&at, &SOLVE).spawn().unwrap();
        let share = *pick(&mut random, &[0.3, 1.0, 1.5]) * random.below(1000) as f64 / 1000.0;
        let until = Instant::now() + usual.mul_f64(share);
        while Instant::now() < until && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let ended = child.try_wait().unwrap();
        if ended.is_none() {
            let _ = Command::new("kill").args(["-STOP", &child.id().to_string()]).status();
        }
        std::fs::copy(&image, &after).unwrap();
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        drop(disk);
        losses += 1;
        let error = String::from_utf8_lossy(&output.stderr);
        let failed = ended.is_some_and(|status| !status.success());
        assert!(!failed, "refused after {losses} losses: {error}");
        std::fs::rename(&after, &image).unwrap();
        if ended.is_some() {
            let disk = Mounted::new(&image, &at).expect("the disk can be read after the loss");
            let table = std::fs::read(at.join(TABLE)).expect("the table is there after the loss");
            assert!(table == expected, "another table after {losses} losses");
            drop(disk);
            std::fs::copy(&fresh, &image).unwrap();
            finished += 1;
        }
    }
    eprintln!(
        "{losses} losses of power, {resumed} of solves with a checkpoint, {finished} to the end"
    );
    assert!(resumed > 0);
}
