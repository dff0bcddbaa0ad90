//! Names that look like a mistyped one.

/// The names closest to `word`, best first, at most three; none if nothing is close.
pub(crate) fn near(word: &str, names: &[&'static str]) -> Vec<&'static str> {
    let word = word.to_lowercase();
    let allowed = 1 + word.chars().count() / 4;
    let mut ranked: Vec<(usize, &'static str)> = names
        .iter()
        .map(|name| (closeness(&word, name), *name))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    ranked.sort();
    ranked.into_iter().map(|(_, name)| name).take(3).collect()
}

/// Edits from `word` to `name` or to its part after the slash, whichever is closer.
fn closeness(word: &str, name: &str) -> usize {
    let part = name.rsplit('/').next().unwrap_or(name);
    edits(word, name).min(edits(word, part))
}

/// Insertions, deletions and substitutions between two words (Levenshtein).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_count_insertions_deletions_and_substitutions() {
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", "abc"), 0);
        assert_eq!(edits("kitten", "sitting"), 3);
    }

    #[test]
    fn near_names_come_best_first_and_strangers_not_at_all() {
        let names = ["kim2017/fig1", "kim2017/fig2", "lee2008/fig2", "kim2017"];
        assert_eq!(near("Kim2017/Fig2", &names)[0], "kim2017/fig2");
        assert_eq!(near("kim207", &names), ["kim2017"]);
        assert_eq!(near("fig1", &names)[0], "kim2017/fig1");
        assert!(near("zebra", &names).is_empty());
    }
}
