//! Three numbers.

pub(super) type V = [f64; 3];

pub(super) fn add(a: V, b: V) -> V {
    std::array::from_fn(|i| a[i] + b[i])
}

pub(super) fn sub(a: V, b: V) -> V {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(super) fn scaled(a: V, by: f64) -> V {
    a.map(|x| x * by)
}

pub(super) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector of length 1; zero for one without direction.
pub(super) fn unit(a: V) -> V {
    let length = dot(a, a).sqrt();
    if length > 0.0 { scaled(a, 1.0 / length) } else { [0.0; 3] }
}
