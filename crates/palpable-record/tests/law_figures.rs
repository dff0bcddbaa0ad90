//! Figures hold what was asked for, and any input draws.

mod common;

use palpable_record::RecordError;
use palpable_record::figure::{
    Axis, Bins, Color, ColorMap, Figure, HeatMap, Histogram, Legend, Line, Marker, Panel, Range,
    Stack,
};
use proptest::prelude::*;

/// Width, height and RGB pixels of a PNG.
fn pixels(png: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(png).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

/// Number of pixels of exactly this colour.
fn count(png: &[u8], color: Color) -> usize {
    pixels(png).2.chunks_exact(3).filter(|pixel| **pixel == color.rgb).count()
}

fn wave(phase: f64) -> (Vec<f64>, Vec<f64>) {
    let t: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.01).collect();
    let y = t.iter().map(|t| (6.0 * t + phase).sin()).collect();
    (t, y)
}

fn two_lines() -> Figure {
    let ((t, a), (_, b)) = (wave(0.0), wave(1.0));
    Figure::new("Title & <tags>", Axis::new("time", "s")).panel(
        Panel::new(Axis::new("angle", "rad"))
            .title("upper")
            .line(Line::new("first \"a\"", &t, &a))
            .line(Line::new("second", &t, &b))
            .hline(0.5, "limit")
            .vline(1.0, "switch")
            .note(0.5, 0.1, "here"),
    )
}

#[test]
fn a_png_has_two_pixels_per_logical_pixel() {
    let png = two_lines().size(500.0, 300.0).to_png().unwrap();
    let (width, height, pixels) = pixels(&png);
    assert_eq!((width, height), (1000, 600));
    assert_eq!(&pixels[..3], &[255, 255, 255]);
}

#[test]
fn each_series_puts_its_own_colour_on_the_page() {
    let (t, y) = wave(0.0);
    let empty = Figure::new("", Axis::new("t", "s")).panel(Panel::new(Axis::new("y", "")));
    let line = |color| {
        let panel = Panel::new(Axis::new("y", "")).line(Line::new("", &t, &y).color(color));
        Figure::new("", Axis::new("t", "s")).panel(panel).to_png().unwrap()
    };
    assert_eq!(count(&empty.to_png().unwrap(), Color::BLUE), 0);
    // a curve some 1000 pixels long and 3 wide
    assert!(count(&line(Color::BLUE), Color::BLUE) > 1000);
    assert_eq!(count(&line(Color::GREEN), Color::BLUE), 0);
    let both = two_lines().to_png().unwrap();
    assert!(count(&both, Color::BLUE) > 500 && count(&both, Color::VERMILION) > 500);
}

#[test]
fn a_drawing_is_the_same_every_time() {
    assert_eq!(two_lines().to_png().unwrap(), two_lines().to_png().unwrap());
    assert_eq!(two_lines().to_svg(), two_lines().to_svg());
}

/// Checks that tags close in order and that entities are known, as an XML reader would.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        check_entities(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag is closed");
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in <{tag}>");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "left open: {open:?}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

fn check_entities(text: &str) {
    for part in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;"];
        assert!(known.iter().any(|entity| part.starts_with(entity)), "&{part}");
    }
}

#[test]
fn an_svg_is_well_formed_and_holds_every_label() {
    let svg = two_lines().to_svg();
    assert_well_formed(&svg);
    for label in [
        "Title &amp; &lt;tags&gt;",
        "time [s]",
        "angle [rad]",
        "upper",
        "first &quot;a&quot;",
        "second",
        "limit",
        "switch",
        "here",
        ">0.5<",
    ] {
        assert!(svg.contains(label), "{label} is missing");
    }
}

#[test]
fn small_values_are_shown_with_prefix_or_power() {
    let t = [0.0, 1e-6, 2e-6];
    let figure = Figure::new("", Axis::new("time", "s"))
        .panel(Panel::new(Axis::new("area", "m²")).line(Line::new("", &t, &[0.0, 1e-6, 3e-6])));
    let svg = figure.to_svg();
    assert!(svg.contains("time [µs]"), "a prefix for seconds");
    assert!(svg.contains("area [10⁻⁶ m²]"), "a power for squares");
    assert!(!svg.contains("0.000"));
}

#[test]
fn a_series_that_explodes_does_not_flatten_the_others() {
    let (t, calm) = wave(0.0);
    let wild: Vec<f64> = t.iter().map(|t| (350.0 * t).exp()).collect();
    let draw = |range| {
        let panel = Panel::new(Axis::new("y", "").range(range))
            .line(Line::new("calm", &t, &calm).color(Color::BLUE))
            .line(Line::new("wild", &t, &wild).color(Color::VERMILION));
        Figure::new("", Axis::new("t", "s")).legend(Legend::Hidden).panel(panel).to_png().unwrap()
    };
    let height = |png: &[u8]| {
        let (width, _, pixels) = pixels(png);
        let rows = pixels.chunks_exact(3 * width as usize);
        let has = |row: &[u8]| row.chunks_exact(3).any(|pixel| *pixel == Color::BLUE.rgb);
        rows.filter(|row| has(row)).count()
    };
    assert!(height(&draw(Range::Auto)) < 20, "all of it: flat");
    assert!(height(&draw(Range::Robust)) > 400, "robust: as tall as the frame");
}

#[test]
fn a_million_samples_make_a_small_figure() {
    let t: Vec<f64> = (0..1_000_000).map(|i| f64::from(i) * 1e-6).collect();
    let y: Vec<f64> = t.iter().map(|t| (1e4 * t).sin()).collect();
    let panel = Panel::new(Axis::new("y", "")).line(Line::new("", &t, &y));
    let svg = Figure::new("", Axis::new("t", "s")).panel(panel).to_svg();
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
}

#[test]
fn figures_are_written_whole_with_their_folders() {
    let folder = common::folder("figures");
    let [png, svg] = two_lines().write_both(folder.join("a/b/fig1.v2")).unwrap();
    assert!(png.ends_with("a/b/fig1.v2.png") && svg.ends_with("a/b/fig1.v2.svg"));
    assert_eq!(std::fs::read(png).unwrap(), two_lines().to_png().unwrap());
    assert_eq!(std::fs::read_dir(folder.join("a/b")).unwrap().count(), 2);
    let error = two_lines().write(folder.join("fig.pdf")).unwrap_err();
    assert!(matches!(error, RecordError::FigureFormat { .. }));
    std::fs::write(folder.join("file"), "").unwrap();
    let error = two_lines().write(folder.join("file/fig.svg")).unwrap_err();
    assert!(matches!(error, RecordError::Io { .. }), "{error}");
}

/// Numbers that break plots.
fn wild() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0,
        1 => prop::num::f64::ANY,
        2 => prop::sample::select(vec![
            0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN,
            f64::MIN_POSITIVE, 5e-324, 1e300, -1e300, 1e-300, 1.0 + f64::EPSILON,
        ]),
    ]
}

fn wilds() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(wild(), 0..12)
}

fn axes() -> impl Strategy<Value = Axis> {
    (".{0,12}", prop::sample::select(vec!["", "s", "m²", "N/m"]), any::<bool>(), 0..4, wilds())
        .prop_map(|(label, unit, log, kind, values)| {
            let axis = Axis::new(label, unit);
            let axis = if log { axis.log() } else { axis };
            match (kind, values.as_slice()) {
                (0, [low, high, ..]) => axis.fixed(*low, *high),
                (1, _) => axis.robust(),
                (2, [value, ..]) => axis.include(*value),
                _ => axis,
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_input_draws(
        (x, y, z) in (wilds(), wilds(), wilds()),
        (x_axis, y_axis) in (axes(), axes()),
        name in ".{0,40}",
        size in (wild(), wild()),
        (columns, below, log, own) in (0usize..4, any::<bool>(), any::<bool>(), any::<bool>()),
    ) {
        let at = |v: &[f64]| v.first().copied().unwrap_or(f64::NAN);
        let bins = if log { Bins::Log(7) } else { Bins::Auto };
        let map = HeatMap::new(name.as_str(), "", &x, &y, &z).texts();
        let map = if log { map.log() } else { map.colors(ColorMap::Diverging { center: at(&z) }) };
        let map = if below { map.range(at(&x), at(&y)) } else { map };
        let panel = |panel: Panel| if own { panel.x(y_axis.clone()) } else { panel };
        let figure = Figure::new(name.as_str(), x_axis)
            .size(size.0, size.1)
            .columns(columns)
            .legend(if below { Legend::Below } else { Legend::Right })
            .panel(Panel::new(y_axis.clone())
                .title(name.as_str())
                .line(Line::new(name.as_str(), &x, &y).width(at(&z)))
                .line(Line::scatter("s", &y, &z, Marker::Cross))
                .hline(at(&y), name.as_str())
                .vline(at(&x), "v")
                .note(at(&x), at(&y), name.as_str()))
            .panel(panel(Panel::new(y_axis.clone())
                .stack(Stack::new(&x).layer("a", &y).layer("b", &z))))
            .panel(panel(Panel::new(y_axis.clone())
                .histogram(Histogram::new("h", &x, bins))
                .histogram(Histogram::from_counts("c", &y, &z))))
            .panel(Panel::new(y_axis.clone()).heat(map).note(0.5, 0.5, "n"));
        assert_well_formed(&figure.to_svg());
        // pixels cost time: small pages only
        prop_assert!(figure.size(300.0, 260.0).to_png().is_ok());
    }
}
