//! The word in the address that only the user's own browser knows.

use crate::StudioError;

/// 128 random bits in hexadecimal.
pub fn random() -> Result<String, StudioError> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|e| StudioError::system("random numbers", e))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// Compares without telling by its time where the words differ.
pub fn matches(given: &str, token: &str) -> bool {
    let (a, b) = (given.as_bytes(), token.as_bytes());
    a.len() == b.len() && a.iter().zip(b).fold(0, |sum, (x, y)| sum | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_only_the_whole_word_matches() {
        let (a, b) = (random().expect("a token"), random().expect("a token"));
        assert_eq!(a.len(), 32);
        assert_ne!(a, b);
        assert!(matches(&a, &a));
        assert!(!matches(&a, &b) && !matches(&a[..31], &a) && !matches("", &a));
    }
}
