//! Blocks unpack to the same bytes by zstd and by the decoder in Rust that browsers have.

use kanzen_solve::Job;
use std::path::Path;
use zstd::{bulk, portable};

/// The most bytes of a block.
const MOST: usize = 1 << 24;

/// The packed blocks of a table, as `docs/format.md` says where they are.
fn blocks(path: &Path) -> Vec<Vec<u8>> {
    let bytes = std::fs::read(path).unwrap();
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let (directory, blocks) = (word(16), word(24));
    let entries = (0..blocks).map(|number| directory + 16 * number);
    let block = |at: usize| {
        let (offset, length) = (word(at), word(at + 8) as u32 as usize);
        bytes[offset..offset + length].to_vec()
    };
    entries.map(block).collect()
}

#[test]
fn every_block_of_small_tables_unpacks_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    // The higher the level, the more features of the format are used.
    let games: [(&str, &[&str], &[i32]); 8] = [
        ("mutorere", &[], &[1, 9, 19]),
        ("simpei", &["pieces=3"], &[1, 19]),
        ("musashi25", &[], &[9]),
        ("threerow", &[], &[9]),
        ("tictactoe", &[], &[1, 9, 19]),
        ("hexapawn", &[], &[9]),
        ("dodgem", &[], &[9, 22]),
        ("l-game", &[], &[9]),
    ];
    let mut seen = 0;
    for (name, options, levels) in games {
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let game = kanzen_games::all().find(name).unwrap().build(&options).unwrap();
        for level in levels {
            let job = Job { memory: 4 << 30, level: Some(*level), ..Job::default() };
            let table = game.solve(dir.path(), None, &job).unwrap().table;
            for (number, packed) in blocks(&table).iter().enumerate() {
                let bytes = bulk::decompress(packed, MOST).unwrap();
                let same = portable::bulk::decompress(packed, bytes.len()).unwrap();
                assert!(bytes == same, "{name}, level {level}, block {number}");
                let reused = portable::bulk::Decompressor::new()
                    .and_then(|mut decoder| decoder.decompress(packed, bytes.len()));
                assert!(reused.unwrap() == bytes, "{name}, level {level}, block {number}");
                seen += 1;
            }
        }
    }
    assert!(seen > 300, "{seen} blocks");
}

#[test]
fn what_is_no_block_is_refused_by_both() {
    let packed = bulk::compress(&[7; 5000], 3).unwrap();
    for cut in 0..packed.len() {
        assert!(bulk::decompress(&packed[..cut], MOST).is_err() || cut == 0);
        let unpacked = portable::bulk::decompress(&packed[..cut], 5000);
        assert!(unpacked.is_err() || cut == 0 && unpacked.unwrap().is_empty(), "{cut}");
    }
    assert!(portable::bulk::decompress(&packed, 4999).is_err(), "too long");
}
