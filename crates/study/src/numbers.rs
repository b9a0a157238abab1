//! Numbers as people read them.

use kanzen_games::Sheet;

/// Columns that hold positions: some are written in digits, and are no numbers.
const POSITIONS: [&str; 5] = ["board", "example", "for example", "line", "position"];

/// A sheet with the digits of its numbers in groups.
#[must_use]
pub fn grouped_sheet(sheet: &Sheet) -> Sheet {
    let row = |row: &Vec<String>| {
        let cells = sheet.head.iter().zip(row);
        let cell = |(head, cell): (&String, &String)| match POSITIONS.contains(&&**head) {
            true => cell.clone(),
            false => grouped(cell),
        };
        cells.map(cell).collect()
    };
    Sheet { rows: sheet.rows.iter().map(row).collect(), ..sheet.clone() }
}

/// Digits in groups of three; anything else unchanged.
#[must_use]
pub fn grouped(cell: &str) -> String {
    if !cell.bytes().all(|byte| byte.is_ascii_digit()) {
        return cell.to_owned();
    }
    let mut text = String::new();
    for (place, digit) in cell.chars().enumerate() {
        if place > 0 && (cell.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_groups() {
        let texts = ["0", "999", "1000", "1234567", "8 pieces", "3.14", ""];
        let expected = ["0", "999", "1,000", "1,234,567", "8 pieces", "3.14", ""];
        assert_eq!(texts.map(grouped), expected);
    }

    #[test]
    fn positions_written_in_digits_stay_as_they_are() {
        let mut sheet = Sheet::new("", &["positions", "example"]);
        sheet.row(["12345".to_owned(), "111012222".to_owned()]);
        assert_eq!(grouped_sheet(&sheet).rows, [["12,345", "111012222"]]);
    }
}
