//! Changes to inputs: bytes, numbers, words, lines, and pieces of other inputs.

use palpable_random::Random;

/// What breaks readers.
const WORDS: [&str; 32] = [
    "0",
    "-1",
    "1e300",
    "-1e300",
    "1e-300",
    "1e-30",
    "NaN",
    "inf",
    "-0.0",
    "1e999",
    "18446744073709551615",
    "9223372036854775808",
    "4294967296",
    "65536",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\\u001b",
    "\u{feff}",
    "\u{0}",
    "\u{65e5}",
    "..",
    "/dev/zero",
    "&lt;",
    "<!--",
    "]]>",
    "#",
    ",",
    "\n",
    "\t",
];

/// Changes an input in one to four places.
pub fn change(input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        match random.below(9) {
            0 => flip(input, random),
            1 => number(input, random),
            2 => {
                let word = WORDS[random.below(WORDS.len())].as_bytes().to_vec();
                let at = random.below(input.len() + 1);
                input.splice(at..at, word);
            }
            3 => {
                let (from, to) = piece(input, random);
                input.drain(from..to);
            }
            4 => {
                let (from, to) = piece(input, random);
                let copy = input[from..to].to_vec();
                let at = random.below(input.len() + 1);
                input.splice(at..at, copy);
            }
            5 => {
                let (from, to) = piece(other, random);
                let at = random.below(input.len() + 1);
                input.splice(at..at, other[from..to].to_vec());
            }
            6 => lines(input, other, random),
            7 => {
                let at = random.below(input.len() + 1);
                input.truncate(at);
                let from = random.below(other.len() + 1);
                input.extend_from_slice(&other[from..]);
            }
            _ => {
                let (from, to) = piece(input, random);
                let copy = input[from..to].to_vec();
                for _ in 0..random.below(8) {
                    input.splice(from..from, copy.iter().copied());
                }
            }
        }
    }
}

fn flip(input: &mut [u8], random: &mut Random) {
    if input.is_empty() {
        return;
    }
    let at = random.below(input.len());
    input[at] = match random.below(3) {
        0 => input[at] ^ (1 << random.below(8)),
        1 => random.bits() as u8,
        _ => b"0123456789-+.eE\"'[]{}()<>/=,:; \n\t#\\"[random.below(35)],
    };
}

/// A piece of at most 64 bytes, or now and then of any length.
fn piece(input: &[u8], random: &mut Random) -> (usize, usize) {
    let from = random.below(input.len() + 1);
    let most = if random.below(8) == 0 { input.len() } else { 64 };
    let to = (from + random.below(most + 1)).min(input.len());
    (from, to)
}

/// Puts another number in the place of one.
fn number(input: &mut Vec<u8>, random: &mut Random) {
    let digit = |b: &u8| b.is_ascii_digit() || b"+-.eE".contains(b);
    let starts: Vec<usize> = (0..input.len())
        .filter(|&i| input[i].is_ascii_digit() && (i == 0 || !digit(&input[i - 1])))
        .collect();
    let Some(&from) = starts.get(random.below(starts.len())) else { return };
    let to = from + input[from..].iter().take_while(|b| digit(b)).count();
    let text = match random.below(4) {
        0 => WORDS[random.below(14)].to_owned(),
        1 => format!("{:e}", f64::from_bits(random.bits())),
        2 => format!("{}", random.bits() as i64 >> random.below(64)),
        _ => format!("{}", (random.bits() >> 11) as f64 / (1u64 << 53) as f64),
    };
    input.splice(from..to, text.into_bytes());
}

/// Exchanges, repeats or removes a line, or takes one of another input.
fn lines(input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let mut rows: Vec<Vec<u8>> = input.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (random.below(rows.len()), random.below(rows.len()));
    match random.below(4) {
        0 => rows.swap(a, b),
        1 => rows.insert(a, rows[b].clone()),
        2 => drop(rows.remove(a)),
        _ => {
            let theirs: Vec<&[u8]> = other.split(|b| *b == b'\n').collect();
            rows.insert(a, theirs[random.below(theirs.len())].to_vec());
        }
    }
    *input = rows.join(&b'\n');
}
