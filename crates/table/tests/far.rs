//! A table far away is read by parts, and is as right or as wrong as the same table near.

use kanzen_table::{Carrier, Far, Identity, Table, TableWriter, gathering};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Brings parts of a table, and counts the ways and the bytes.
struct Bytes(Vec<u8>, Arc<[AtomicU64; 2]>);

impl Carrier for Bytes {
    fn bring(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        self.1[0].fetch_add(1, Relaxed);
        let part = |range: &Range<u64>| {
            self.1[1].fetch_add(range.end - range.start, Relaxed);
            let part = self.0.get(range.start as usize..range.end as usize);
            part.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
        };
        ranges.iter().map(part).collect()
    }
}

fn code(index: u64) -> u16 {
    (index.wrapping_mul(index) >> 9) as u16 % 50
}

/// The bytes of a table of 600 blocks.
fn table() -> Vec<u8> {
    const CELLS: u64 = 600 << 16;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.kanzen");
    let variant = Default::default();
    let identity = Identity { game: "test".to_owned(), variant, index_version: 1, rules: None };
    let mut writer = TableWriter::create(&path, identity, "plies", 1).unwrap();
    let counts: Vec<(u16, u64)> = (0..50).map(|code| (code, 1)).collect();
    let fill = |range: Range<u64>, out: &mut [u16]| {
        for (index, cell) in range.zip(out) {
            *cell = code(index);
        }
    };
    writer.tier("all", CELLS, &counts, fill, |_| ()).unwrap();
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

fn open(bytes: Vec<u8>) -> (Result<Table, String>, Arc<[AtomicU64; 2]>) {
    let traffic = Arc::<[AtomicU64; 2]>::default();
    let length = bytes.len() as u64;
    let far = Far::new("far", length, Box::new(Bytes(bytes, Arc::clone(&traffic))));
    let table = Table::from_source(Path::new("far"), Box::new(far), 1 << 20);
    (table.map_err(|error| error.to_string()), traffic)
}

#[test]
fn a_table_far_away_is_read_by_parts_and_answers_the_same() {
    let bytes = table();
    let length = bytes.len() as u64;
    let (far, traffic) = open(bytes.clone());
    let far = far.unwrap();
    let cells: Vec<u64> = (0..40).map(|n| n * 65536 * 15 + n).collect();
    let read = || cells.iter().map(|&cell| far.code(0, cell)).collect::<Vec<_>>();
    let found = gathering(read).into_iter().map(|code| code.unwrap().unwrap());
    assert!(found.eq(cells.iter().map(|&cell| code(cell))));
    let [ways, brought] = [0, 1].map(|at| traffic[at].load(Relaxed));
    assert_eq!(ways, 4, "header, description, entries, blocks");
    assert!(brought < length / 5, "{brought} of {length}");
    // One by one, and what there is not.
    assert_eq!(far.code(0, 12_345_678).unwrap(), Some(code(12_345_678)));
    assert_eq!(far.code(0, 600 << 16).unwrap(), None);
    assert_eq!(far.code(1, 0).unwrap(), None);
    // Whole.
    far.check(0).unwrap();
}

#[test]
fn a_wrong_table_far_away_is_told() {
    let bytes = table();
    let good = |index: u64| code(index);
    // A byte is flipped anywhere: what is read is right, or it is told.
    let mut told = 0;
    for at in (0..bytes.len()).step_by(bytes.len() / 150) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x55;
        let (far, _) = open(wrong);
        let Ok(far) = far else {
            told += 1;
            continue;
        };
        for index in (0..600u64 << 16).step_by(65536 * 25) {
            match far.code(0, index) {
                Ok(found) => assert_eq!(found, Some(good(index)), "byte {at}"),
                Err(_) => told += 1,
            }
        }
    }
    assert!(told > 0);
    // Entries that lead elsewhere: to another block, before the blocks, behind them.
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let directory = word(16);
    for offset in [0u64, 64 + 1, directory as u64, u64::MAX] {
        let mut wrong = bytes.clone();
        wrong[directory + 16..directory + 24].copy_from_slice(&offset.to_le_bytes());
        let (far, _) = open(wrong);
        assert!(far.unwrap().code(0, 65536).is_err(), "{offset}");
    }
    // Cut off.
    let (far, _) = open(bytes[..bytes.len() - 1].to_vec());
    assert!(far.err().unwrap().contains("the copy is incomplete"));
}
