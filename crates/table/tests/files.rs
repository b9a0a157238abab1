//! Table files: round trips, and everything that can be wrong with a file.

use kanzen_table::{DONT_CARE, Identity, Neighbours, Source, Table, TableWriter, by_rank};
use proptest::prelude::*;
use std::path::Path;

fn identity() -> Identity {
    Identity { game: "test".to_owned(), variant: Default::default(), index_version: 7, rules: None }
}

fn write(path: &Path, tiers: &[Vec<u16>], level: i32) -> u64 {
    write_by(TableWriter::create(path, identity(), "plies", level).unwrap(), tiers)
}

fn write_by(mut writer: TableWriter, tiers: &[Vec<u16>]) -> u64 {
    for (number, codes) in tiers.iter().enumerate() {
        let mut counts = std::collections::BTreeMap::new();
        for &code in codes.iter().filter(|&&code| code != DONT_CARE) {
            *counts.entry(code).or_insert(0) += 1;
        }
        let counts: Vec<(u16, u64)> = counts.into_iter().collect();
        let fill = |range: std::ops::Range<u64>, out: &mut [u16]| {
            out.copy_from_slice(&codes[range.start as usize..range.end as usize]);
        };
        writer.tier(&format!("tier {number}"), codes.len() as u64, &counts, fill, |_| ()).unwrap();
    }
    writer.finish().unwrap()
}

fn sample() -> Vec<Vec<u16>> {
    let wavy = |i: u32| (i.wrapping_mul(i) >> 7) as u16 % 40;
    vec![(0..200_000).map(wavy).collect(), vec![], (0..100).map(|i| i as u16 * 3).collect()]
}

/// Opens bytes as a table and reads all of it.
fn read_all(bytes: Vec<u8>) -> Result<Vec<Vec<u16>>, String> {
    let table = Table::from_source(Path::new("t"), Box::new(bytes), 1 << 20)
        .map_err(|error| error.to_string())?;
    let tiers = 0..table.meta().tiers.len();
    let read = tiers.map(|tier| {
        let codes = table.codes(tier).map_err(|error| error.to_string());
        let checked = table.check(tier).map_err(|error| error.to_string());
        assert_eq!(codes.is_ok(), checked.is_ok(), "tier {tier}");
        codes
    });
    read.collect()
}

#[test]
fn cells_come_back_one_by_one_and_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.kanzen");
    let tiers = sample();
    let length = write(&path, &tiers, 3);
    assert_eq!(length, std::fs::metadata(&path).unwrap().len());
    let table = Table::open(&path).unwrap();
    table.expect(&identity()).unwrap();
    for (tier, codes) in tiers.iter().enumerate() {
        assert_eq!(&table.codes(tier).unwrap(), codes);
        for index in (0..codes.len()).step_by(997) {
            assert_eq!(table.code(tier, index as u64).unwrap(), Some(codes[index]));
        }
        assert_eq!(table.code(tier, codes.len() as u64).unwrap(), None);
    }
    assert_eq!(table.code(3, 0).unwrap(), None);
}

/// Writes a tier by ranks, `blocks` blocks at a time.
fn write_ranks(path: &Path, codes: &[u16], blocks: u64, lie: u8) -> Result<u64, String> {
    let count = |code: u16| codes.iter().filter(|&&c| c == code).count() as u64;
    let counts: Vec<(u16, u64)> = (0..40).map(|code| (code, count(code))).collect();
    let order = by_rank(&counts);
    let rank = |code: u16| order.iter().position(|&(c, _)| c == code).unwrap() as u8;
    let ranks: Vec<u8> = codes.iter().map(|&code| rank(code)).collect();
    let fill = |range: std::ops::Range<u64>, out: &mut [u8]| {
        out.copy_from_slice(&ranks[range.start as usize..range.end as usize]);
        out[0] += lie;
        Ok(())
    };
    let mut writer = TableWriter::create(path, identity(), "plies", 3).unwrap();
    let written = writer.tier_of_ranks("tier 0", codes.len() as u64, &counts, blocks, fill, |_| ());
    written.map_err(|error| error.to_string())?;
    Ok(writer.finish().unwrap())
}

#[test]
fn ranks_make_the_same_file_as_codes() {
    let dir = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| dir.path().join(name));
    let codes = &sample()[0];
    write(&one, std::slice::from_ref(codes), 3);
    let expected = std::fs::read(&one).unwrap();
    for blocks in [1, 3, 16] {
        write_ranks(&other, codes, blocks, 0).unwrap();
        assert!(std::fs::read(&other).unwrap() == expected, "{blocks} blocks");
    }
    let error = write_ranks(&other, codes, 1, 200).unwrap_err();
    assert!(error.contains("not among those announced"), "{error}");
}

#[test]
fn cells_are_found_by_their_code() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.kanzen");
    let mut tiers = sample();
    tiers[1] = (0..70_000).map(|i| (i % 700) as u16).collect();
    write(&path, &tiers, 1);
    let table = Table::open(&path).unwrap();
    for (tier, codes) in tiers.iter().enumerate() {
        for code in [0, 1, 39, 256, 699] {
            let cells = (0_u64..).zip(codes).filter(|&(_, &c)| c == code).map(|(i, _)| i);
            assert_eq!(table.with_code(tier, code).unwrap(), cells.collect::<Vec<_>>());
        }
    }
    assert!(table.with_code(3, 0).unwrap().is_empty());
}

#[test]
fn more_than_256_values_take_two_bytes_a_cell() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.kanzen");
    let tiers = vec![(0..70_000u32).map(|i| (i % 5000) as u16).collect::<Vec<u16>>()];
    write(&path, &tiers, 1);
    assert_eq!(Table::open(&path).unwrap().codes(0).unwrap(), tiers[0]);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let bytes = [1, 2].map(|threads| {
        let path = dir.path().join(format!("{threads}.kanzen"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| write(&path, &sample(), 5));
        std::fs::read(path).unwrap()
    });
    assert_eq!(bytes[0], bytes[1]);
}

#[test]
fn a_value_that_was_not_announced_is_refused_and_nothing_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.kanzen");
    let mut writer = TableWriter::create(&path, identity(), "plies", 1).unwrap();
    let fill = |_: std::ops::Range<u64>, out: &mut [u16]| out.fill(9);
    let error = writer.tier("x", 10, &[(1, 10)], fill, |_| ()).unwrap_err();
    assert!(error.to_string().contains("the value 9"), "{error}");
    drop(writer);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn missing_foreign_newer_truncated_and_other_files_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.kanzen");
    write(&path, &sample(), 3);
    let bytes = std::fs::read(&path).unwrap();

    let missing = Table::open(&dir.path().join("none")).err().unwrap().to_string();
    assert!(missing.contains("no such table"), "{missing}");
    assert!(read_all(b"PNG".to_vec()).unwrap_err().contains("not a table of Kanzen"));
    assert!(read_all(vec![0; 4096]).unwrap_err().contains("not a table of Kanzen"));
    let mut newer = bytes.clone();
    newer[8] = 99;
    assert!(read_all(newer).unwrap_err().contains("version 99"));
    let cut = read_all(bytes[..bytes.len() - 1].to_vec()).unwrap_err();
    assert!(cut.contains("incomplete"), "{cut}");
    let other = Identity { game: "other".to_owned(), ..identity() };
    let refused = Table::open(&path).unwrap().expect(&other).unwrap_err().to_string();
    assert!(refused.contains("test (index version 7), not of other"), "{refused}");
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.kanzen");
    write(&path, &sample(), 3);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(read_all(bytes.clone()).unwrap(), sample());
    let mut blocks_named = 0;
    for at in (0..bytes.len()).step_by(bytes.len() / 400).chain(0..64) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let error = read_all(damaged).expect_err(&format!("bit flip at {at} was not noticed"));
        blocks_named += u32::from(error.contains("block ") && error.contains("damaged"));
    }
    assert!(blocks_named > 100, "most flips hit blocks, and the error names them");
}

/// A file that is cut off while it is open.
struct Cut(Vec<u8>);

impl Source for Cut {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
        // The header and directory are read while the file is still whole.
        match offset > 64 && (offset as usize) < self.0.len() / 2 {
            true => Err(std::io::ErrorKind::UnexpectedEof.into()),
            false => self.0.read_at(buffer, offset),
        }
    }
    fn length(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }
}

#[test]
fn a_file_cut_off_while_in_use_gives_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.kanzen");
    write(&path, &sample(), 3);
    let source = Cut(std::fs::read(&path).unwrap());
    let table = Table::from_source(&path, Box::new(source), 1 << 20).unwrap();
    assert!(table.code(0, 70_000).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_codes_survive_and_unstored_cells_do_not_matter(
        codes in prop::collection::vec((0u16..300, any::<bool>()), 0..3000),
        level in 1i32..6,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.kanzen");
        let stored: Vec<u16> =
            codes.iter().map(|&(code, kept)| if kept { code } else { DONT_CARE }).collect();
        write(&path, std::slice::from_ref(&stored), level);
        let read = Table::open(&path).unwrap().codes(0).unwrap();
        for (found, expected) in read.iter().zip(&stored) {
            prop_assert!(*expected == DONT_CARE || found == expected);
        }
    }

    #[test]
    fn garbage_is_refused_and_never_panics(mut bytes in prop::collection::vec(any::<u8>(), 0..500), real in any::<bool>()) {
        if real && bytes.len() >= 8 {
            bytes[..8].copy_from_slice(b"\x89KNZ\r\n\x1a\n");
        }
        prop_assert!(read_all(bytes).is_err());
    }
}

/// A large tier is packed by context and a small one beside it by zstd; both come back, cells of a byte
/// or two, and a flipped bit is noticed.
#[test]
fn tiers_packed_by_context_come_back() {
    let dir = tempfile::tempdir().unwrap();
    for most in [40, 300] {
        let path = dir.path().join("t.kanzen");
        let neighbours = Neighbours {
            parts: 4,
            packed: vec![0, 3, 1, 2],
            distances: vec![1, 32],
            ranks: 8,
            unless: None,
        };
        let writer = TableWriter::create(&path, identity(), "plies", 3).unwrap();
        let writer = writer.blocks_of(256).by_context(neighbours);
        let wavy = |i: u32| match i % 3 {
            0 => DONT_CARE,
            _ => (i.wrapping_mul(i) >> 12) as u16 % most,
        };
        let tiers = [vec![7; 20], (0..100_100).map(wavy).collect(), vec![5, DONT_CARE, 6]];
        write_by(writer, &tiers);
        let table = Table::open(&path).unwrap();
        for (tier, codes) in tiers.iter().enumerate() {
            let found = table.codes(tier).unwrap();
            let same =
                |(expected, found): (&u16, &u16)| *expected == DONT_CARE || expected == found;
            assert!(codes.iter().zip(&found).all(same), "tier {tier}");
            table.check(tier).unwrap();
        }
        assert_eq!(table.code(1, 1000).unwrap(), Some(tiers[1][1000]));
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes[8], 4, "the version");
        for at in (0..bytes.len()).step_by(bytes.len() / 200) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 16;
            assert!(read_all(bytes).is_err(), "byte {at}");
        }
    }
}

/// Version 1 kept the census as tiers without cells; version 2 has a part of its own for it.
#[test]
fn the_census_stands_apart_in_both_versions() {
    let dir = tempfile::tempdir().unwrap();
    let mut opened = Vec::new();
    for version in [1, 2] {
        let path = dir.path().join(format!("version-{version}.kanzen"));
        let mut writer = TableWriter::create(&path, identity(), "plies", 3).unwrap();
        writer.tier("cells", 3, &[(4, 3)], |_, out| out.fill(4), |_| ()).unwrap();
        match version {
            1 => writer.tier("counted", 0, &[(5, 7), (0, 9)], |_, _| (), |_| ()).unwrap(),
            _ => writer.count("counted", &[(5, 7), (0, 9)]),
        }
        writer.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap()[8], version);
        opened.push(Table::open(&path).unwrap().meta().clone());
    }
    assert_eq!(opened[0], opened[1]);
    assert_eq!((opened[0].tiers.len(), &*opened[0].census[0].codes), (1, &[0, 5][..]));
}
