//! Numbers with their units, as people read them.

use kanzen_core::Language;

/// Digits in groups of three.
///
/// ```
/// assert_eq!(kanzen_show::units::grouped(12_102_165), "12,102,165");
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with three digits and a sign for its size.
///
/// ```
/// use kanzen_show::units::rounded;
/// assert_eq!([0.4, 999.6, 12_345.0, 9_996_000.0].map(rounded), ["0.4", "1.00 k", "12.3 k", "10.0 M"]);
/// ```
pub fn rounded(number: f64) -> String {
    let (mut number, mut sign) = (number, "");
    for larger in [" k", " M", " G", " T", " P", " E"] {
        if number < 999.5 {
            break;
        }
        (number, sign) = (number / 1000.0, larger);
    }
    match number {
        ..1.0 if sign.is_empty() => format!("{number:.1}"),
        ..9.995 if !sign.is_empty() => format!("{number:.2}{sign}"),
        ..99.95 if !sign.is_empty() => format!("{number:.1}{sign}"),
        _ => format!("{number:.0}{sign}"),
    }
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Bytes in a readable unit.
///
/// ```
/// assert_eq!(kanzen_show::units::bytes(3_101_000), "3101 KB");
/// ```
pub fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{count} B"),
        10_000..10_000_000 => format!("{} KB", count / 1000),
        10_000_000..10_000_000_000 => format!("{} MB", count / 1_000_000),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

/// Seconds in a readable unit.
///
/// ```
/// use kanzen_core::Language;
/// assert_eq!(kanzen_show::units::seconds(90.0, Language::English), "90 s");
/// ```
pub fn seconds(count: f64, language: Language) -> String {
    match count {
        ..1.0 => language.pick("under a second", "1秒未満").to_owned(),
        ..100.0 => format!("{count:.0} {}", language.pick("s", "秒")),
        ..6000.0 => format!("{:.0} {}", count / 60.0, language.pick("min", "分")),
        _ => format!("{:.1} {}", count / 3600.0, language.pick("h", "時間")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([9_999, 10_000, 12_345_678].map(bytes), ["9999 B", "10 KB", "12 MB"]);
        assert_eq!(seconds(7200.0, Language::English), "2.0 h");
        assert_eq!(seconds(30.0, Language::Japanese), "30 秒");
    }
}
