//! Numbers and paragraphs for people, at 80 columns.

/// Width of everything the program prints \[characters\].
pub const WIDTH: usize = 80;

/// A value with a unit and a prefix: `12.35 mJ`, `0 J`, `-4.2 kN`; four digits count.
pub fn si(value: f64, unit: &str) -> String {
    prefixed(value, unit, 4)
}

/// The same with three digits, for what is measured roughly: `12.4 ms`.
pub fn si3(value: f64, unit: &str) -> String {
    prefixed(value, unit, 3)
}

/// A time \[s\]: `250 ms`, `2.5 s`, `3600 s`; nobody counts in kiloseconds.
pub fn seconds(value: f64) -> String {
    if value.abs() < 1.0 { si(value, "s") } else { format!("{} s", digits(value)) }
}

fn prefixed(value: f64, unit: &str, count: i32) -> String {
    const PREFIXES: [(&str, f64); 9] = [
        ("T", 1e12),
        ("G", 1e9),
        ("M", 1e6),
        ("k", 1e3),
        ("", 1.0),
        ("m", 1e-3),
        ("µ", 1e-6),
        ("n", 1e-9),
        ("p", 1e-12),
    ];
    if value == 0.0 || unit.is_empty() {
        return format!("{} {unit}", significant(value, count)).trim_end().to_owned();
    }
    // a half of the last digit more, so that 999.96 becomes 1.000 of the next prefix
    let size = value.abs() * (1.0 + 0.5 * 10f64.powi(1 - count) / 10.0);
    match PREFIXES.iter().find(|(_, scale)| size >= *scale) {
        Some((prefix, scale)) if size < 1e15 => {
            format!("{} {prefix}{unit}", significant(value / scale, count))
        }
        _ => format!("{} {unit}", significant(value, count)),
    }
}

/// A pure number with four digits that count: `12.35`, `1.2e-17`.
pub fn digits(value: f64) -> String {
    significant(value, 4)
}

/// A pure number with two or three digits that count: `12`, `3.4`.
pub fn rounded(value: f64) -> String {
    significant(value, if value.abs() >= 100.0 { 3 } else { 2 })
}

fn significant(value: f64, count: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return value.to_string();
    }
    let power = value.abs().log10().floor() as i32;
    if !(-4..6).contains(&power) {
        let places = (count - 1) as usize;
        return trimmed_exponent(&format!("{value:.places$e}"));
    }
    let places = (count - 1 - power).max(0) as usize;
    let text = format!("{value:.places$}");
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `2.500e-16` as `2.5e-16`.
fn trimmed_exponent(text: &str) -> String {
    match text.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text.to_owned(),
    }
}

/// A count with its thousands apart: `12 345`.
pub fn grouped(count: u64) -> String {
    let plain = count.to_string();
    let mut text = String::with_capacity(plain.len() + plain.len() / 3);
    for (index, digit) in plain.chars().enumerate() {
        if index > 0 && (plain.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// `1 body`, `2 bodies`.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    let word = if count == 1 { one } else { many };
    format!("{} {word}", grouped(count as u64))
}

/// Breaks words into lines of at most [`WIDTH`], each after `indent` blanks; a longer word stays
/// whole.
pub fn wrapped(words: &str, indent: usize) -> String {
    let blank = " ".repeat(indent);
    let mut text = String::new();
    let mut column = 0;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            text.push_str(&blank);
            column = indent;
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
    text
}

/// Like [`wrapped`], with lines after the first `more` blanks further in.
pub fn hanging(words: &str, indent: usize, more: usize) -> String {
    let mut lines = wrapped(words, indent + more);
    // the first line begins with that many blanks, of one byte each
    lines.drain(..more.min(lines.len()));
    lines
}

/// The words with every decimal number rounded to four digits: `0.250000` as `0.25`.
pub fn tidy(words: &str) -> String {
    let round = |word: &str| {
        let number = word.trim_matches(|c: char| !c.is_ascii_digit());
        match number.parse::<f64>() {
            Ok(value) if number.contains('.') => word.replace(number, &digits(value)),
            _ => word.to_owned(),
        }
    };
    words.split(' ').map(round).collect::<Vec<_>>().join(" ")
}

/// `text` cut or filled to exactly `width` characters.
pub fn fit(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return format!("{text}{}", " ".repeat(width - count));
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_carry_the_prefix_that_leaves_one_to_three_digits_before_the_point() {
        let cases = [
            (0.0, "0 J"),
            (1.0, "1 J"),
            (-0.01235, "-12.35 mJ"),
            (999.96, "1 kJ"),
            (999.94, "999.9 J"),
            (2.5e-7, "250 nJ"),
            (1e-16, "1e-16 J"),
            (3e18, "3e18 J"),
            (f64::INFINITY, "inf J"),
        ];
        for (value, text) in cases {
            assert_eq!(si(value, "J"), text, "{value:e}");
        }
        assert_eq!(si(1.5e-17, ""), "1.5e-17");
    }

    #[test]
    fn thousands_stand_apart() {
        let texts = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1 000", "1 234 567"]);
    }

    #[test]
    fn tidy_rounds_decimal_numbers_and_leaves_the_rest() {
        let words = "at 1000.000000 Hz (150.0 %), 0.250000: fig 7.8 of 12";
        assert_eq!(tidy(words), "at 1000 Hz (150 %), 0.25: fig 7.8 of 12");
        assert_eq!(hanging("1. one two", 2, 3), "  1. one two\n");
    }

    #[test]
    fn wrapped_lines_are_no_longer_than_the_page() {
        let text = wrapped(&"word ".repeat(100), 4);
        assert!(text.lines().all(|line| line.len() <= WIDTH && line.starts_with("    word")));
        assert_eq!(text.matches("word").count(), 100);
    }
}
