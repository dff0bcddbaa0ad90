//! Layout and numbers, seen from inside.

use crate::canvas::{Item, Rect, Text, font};
use crate::figure::number::{alike, decade, short};
use crate::figure::range::span;
use crate::figure::ticks::ticks;
use crate::figure::{Axis, Figure, HeatMap, Legend, Line, Panel, Stack};

fn texts(figure: &Figure) -> Vec<Text> {
    let items = figure.drawing().items;
    items
        .into_iter()
        .filter_map(|item| if let Item::Text(t) = item { Some(t) } else { None })
        .collect()
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1
}

fn assert_tidy(figure: &Figure) {
    let (width, height) = figure.page();
    let page = Rect { x0: 0.0, y0: 0.0, x1: width, y1: height };
    let texts = texts(figure);
    for (index, text) in texts.iter().enumerate() {
        let b = text.bounds();
        let inside = b.x0 >= page.x0 && b.y0 >= page.y0 && b.x1 <= page.x1 && b.y1 <= page.y1;
        assert!(inside, "`{}` is cut: {b:?}", text.text);
        for other in &texts[index + 1..] {
            assert!(!overlap(&b, &other.bounds()), "`{}` lies on `{}`", text.text, other.text);
        }
    }
}

fn panel(scale: f64, name: &str) -> Panel {
    let t: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.02).collect();
    let y: Vec<f64> = t.iter().map(|t| scale * (7.0 * t).sin()).collect();
    Panel::new(Axis::new("a quantity", "N·m"))
        .line(Line::new(name, &t, &y))
        .line(Line::new(format!("{name}, again"), &t, &y))
        .hline(0.0, "zero")
        .hline(0.3 * scale, "bound")
        .vline(1.0, "one")
        .vline(1.05, "a little later")
        .note(0.5, 0.2 * scale, "a note")
}

#[test]
fn no_text_is_cut_or_lies_on_another() {
    for scale in [1.0, 1e-7, 3.3e5, 1e250] {
        for columns in 1..4 {
            for legend in [Legend::Right, Legend::Below, Legend::Hidden] {
                let mut figure =
                    Figure::new("A title", Axis::new("time", "s")).columns(columns).legend(legend);
                for index in 0..4 {
                    figure = figure.panel(panel(scale, &format!("series {index}")));
                }
                assert_tidy(&figure);
            }
        }
    }
}

#[test]
fn a_heat_map_and_its_bar_are_tidy() {
    let (x, y) = ([1e-4, 1e-3, 1e-2, 1e-1], [1e2, 1e5, 1e8]);
    let values: Vec<f64> = (0..12).map(|i| 10f64.powi(i - 9)).collect();
    let map = HeatMap::new("gain", "", &x, &y, &values).texts().log();
    let panel = Panel::new(Axis::new("stiffness", "N/m")).heat(map);
    assert_tidy(&Figure::new("Heat", Axis::new("step", "s")).panel(panel));
}

#[test]
fn long_names_are_shortened() {
    let name = "a very long name of a series that nobody would ever want to read in a legend";
    assert_tidy(&Figure::new(name.repeat(3), Axis::new("t", "s")).panel(panel(1.0, name)));
    assert!(font::width(&font::shorten(name, 11.0, 60.0), 11.0) <= 60.0);
}

#[test]
fn a_crowded_legend_says_how_many_it_left_out() {
    for (count, left_out) in [(14, false), (60, true)] {
        for legend in [Legend::Right, Legend::Below] {
            let name = "a series whose name is rather long";
            let crowd = (0..count).fold(Panel::new(Axis::new("y", "")), |panel, index| {
                panel.line(Line::new(format!("{name} {index}"), &[0.0, 1.0], &[0.0, 1.0]))
            });
            let figure = Figure::new("", Axis::new("t", "s")).legend(legend);
            let figure = figure.size(720.0, 420.0).panel(crowd);
            assert_tidy(&figure);
            let says = texts(&figure).iter().any(|text| text.text.ends_with(" more"));
            assert_eq!(says, left_out, "{count} {legend:?}");
        }
    }
}

#[test]
fn marks_are_round_numbers_in_readable_words() {
    let marks = |low, high| {
        let axis = Axis::new("x", "s").fixed(low, high);
        let found = ticks(&axis, &span(&axis, &[], 0.0), 5.0);
        let labels: Vec<String> = found.major.into_iter().map(|(_, label)| label).collect();
        (labels.join(" "), found.caption)
    };
    assert_eq!(marks(0.0, 1.0), ("0.0 0.2 0.4 0.6 0.8 1.0".into(), "x [s]".into()));
    assert_eq!(marks(-2e-6, 2e-6), ("−2 −1 0 1 2".into(), "x [µs]".into()));
    assert_eq!(marks(0.0, 5e7), ("0 10 20 30 40 50".into(), "x [Ms]".into()));
    assert_eq!(marks(3.0, 3.0 + 4e-9).1, "x − 3 s [ns]");
    assert_eq!(marks(0.0, 1e300).1, "x [10³⁰⁰ s]");
}

#[test]
fn numbers_are_short() {
    let words = [0.0, 1.0, 0.25, -1800.0, 1.8e-6, 1e-6, -1e9, 1e300, f64::INFINITY, f64::NAN];
    let words: Vec<String> = words.iter().map(|value| short(*value, 3)).collect();
    let right = ["0", "1", "0.25", "−1800", "1.8·10⁻⁶", "10⁻⁶", "−10⁹", "10³⁰⁰", "∞", "–"];
    assert_eq!(words, right);
    assert_eq!(alike(&[0.5, 1.0]), ["0.5", "1.0"]);
    assert_eq!(alike(&[100.0, 1e6]), ["10²", "10⁶"]);
    for exponent in -300..300 {
        let value: f64 = format!("1e{exponent}").parse().unwrap();
        assert_eq!(decade(value), exponent);
        assert_eq!(decade(9.99 * value), exponent);
    }
}

#[test]
fn negative_heights_stack_downwards() {
    let stack = Stack::new(&[0.0]).layer("a", &[2.0]).layer("b", &[-1.0]).layer("c", &[3.0]);
    let edges = stack.layer("d", &[-4.0]).edges();
    let right = [(0.0, 2.0), (-1.0, 0.0), (2.0, 5.0), (-5.0, -1.0)];
    assert_eq!(edges, right.map(|(low, high)| (vec![low], vec![high])));
}
