//! Lines of a program, and numbers as Rust writes them.

use palpable::Vec3;

/// A text that grows line by line.
#[derive(Default)]
pub struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// Adds a line.
    pub fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.depth));
            self.text += line;
        }
        self.text.push('\n');
    }

    /// Adds a line that opens a block.
    pub fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// Adds a line that closes a block.
    pub fn close(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// The whole text.
    pub fn done(self) -> String {
        self.text
    }
}

/// A number with all its digits.
pub fn number(value: f64) -> String {
    if value.is_finite() {
        format!("{value:?}")
    } else if value.is_nan() {
        "f64::NAN".to_owned()
    } else if value > 0.0 {
        "f64::INFINITY".to_owned()
    } else {
        "f64::NEG_INFINITY".to_owned()
    }
}

/// Numbers, separated by commas.
pub fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(", ")
}

/// A vector.
pub fn vector(value: &Vec3) -> String {
    format!("v({})", numbers(value.as_slice()))
}

/// A rotation from its vector [rad].
pub fn turn(value: &Vec3) -> String {
    format!("turn({})", numbers(value.as_slice()))
}
