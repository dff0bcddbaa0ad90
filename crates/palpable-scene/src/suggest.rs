//! "Did you mean": the nearest of a few known words.

/// Known words that are listed, and that a word is compared with, at most.
const LISTED: usize = 40;
const COMPARED: usize = 2000;

/// The known word nearest to `word`, if it is near enough to be a slip of the pen.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let length = word.chars().count();
    let allowed = if length < 2 { 0 } else { (length / 3).max(1) };
    let scored = known.into_iter().map(|k| (distance(word, k, allowed), k));
    scored.filter(|(d, _)| *d <= allowed).min_by_key(|(d, _)| *d).map(|(_, k)| k)
}

/// ``did you mean `x`?`` if a known word is near, and all of them in any case.
pub(crate) fn cure<'k>(
    word: &str,
    known: impl IntoIterator<Item = &'k str> + Clone,
    what: &str,
) -> String {
    let mut list: Vec<&str> = known.clone().into_iter().take(LISTED + 1).collect();
    let more = if list.len() > LISTED { ", and others" } else { "" };
    list.truncate(LISTED);
    let names = list.join(", ");
    match nearest(word, known.into_iter().take(COMPARED)) {
        Some(near) => format!("did you mean `{near}`? {what}: {names}{more}"),
        None if list.is_empty() => format!("there are no {what}"),
        None => format!("{what}: {names}{more}"),
    }
}

/// Insertions, deletions, replacements and swaps of neighbours, ignoring case, `-` and `_`.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let plain = |s: &str| -> Vec<char> {
        s.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
    };
    let (a, b) = (plain(a), plain(b));
    if a.len().abs_diff(b.len()) > limit || a.len() > 64 {
        return limit + 1;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["stiffness", "damping", "mass"];
        assert_eq!(nearest("stifness", known), Some("stiffness"));
        assert_eq!(nearest("Mass", known), Some("mass"));
        assert_eq!(nearest("msas", known), Some("mass"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("b", ["a"]), None);
        assert_eq!(nearest("rn", ["run", "mass"]), Some("run"));
    }
}
