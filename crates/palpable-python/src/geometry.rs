//! Questions to shapes that stand somewhere: contacts before they touch, rays, the nearest, the
//! first impact.

use crate::errors::{self, Refuse};
use crate::parts::CollisionShape;
use crate::pose::Pose;
use crate::shown::shown;
use crate::vector::{Count, V3, array3};
use numpy::PyArray1;
use palpable::geometry as engine;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// A pose as the collision pipeline takes it.
pub fn frame(pose: &Pose) -> engine::Isometry {
    engine::Isometry::from_parts(pose.0.position.into(), pose.0.rotation)
}

/// Whom a collider meets: two meet if each is a member of a group that the other one meets.
#[pyclass(frozen, eq, from_py_object, module = "palpable.geometry")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Groups(engine::Groups);

#[pymethods]
impl Groups {
    /// Groups it belongs to and groups it meets, one bit each; all unless given.
    #[new]
    #[pyo3(signature = (member=u32::MAX, meets=u32::MAX))]
    fn new(member: u32, meets: u32) -> Self {
        Self(engine::Groups { member, meets })
    }

    /// Groups it belongs to.
    #[getter]
    fn member(&self) -> u32 {
        self.0.member
    }

    /// Groups it meets.
    #[getter]
    fn meets(&self) -> u32 {
        self.0.meets
    }

    fn __repr__(&self) -> String {
        format!("Groups({:#x}, {:#x})", self.0.member, self.0.meets)
    }
}

/// A shape on a body of a pipeline.
#[pyclass(frozen, from_py_object, module = "palpable.geometry")]
#[derive(Debug, Clone)]
pub struct Collider(engine::Collider);

#[pymethods]
impl Collider {
    /// A shape on body number `body`, in a frame of that body; `still` if that does not move by
    /// itself.
    #[new]
    #[pyo3(signature = (body, shape, offset=None, groups=Groups(engine::Groups::ALL), still=false))]
    fn new(
        body: Count,
        shape: CollisionShape,
        offset: Option<Pose>,
        groups: Groups,
        still: bool,
    ) -> Self {
        let offset = offset.map_or_else(engine::Isometry::identity, |pose| frame(&pose));
        let made = engine::Collider::new(body.0, shape.inner).offset(offset).groups(groups.0);
        Self(if still { made.still() } else { made })
    }

    fn __repr__(&self) -> String {
        format!("<Collider on body {}>", self.0.body)
    }
}

shown! {
    /// What an update of a pipeline did.
    CollisionReport(engine::CollisionReport) {
        show {
        /// Pairs of pieces that are near each other.
        pairs: usize = |s| s.pairs;
        /// Manifolds found.
        manifolds: usize = |s| s.manifolds;
        /// Contacts found.
        contacts: usize = |s| s.contacts;
        /// Contacts dropped for want of room.
        contacts_dropped: usize = |s| s.contacts_dropped;
        /// Pairs dropped for want of room, at least so many.
        pairs_dropped: usize = |s| s.pairs_dropped;
        /// Contacts merged into a near one.
        clustered: usize = |s| s.clustered;
        /// Bodies left out because their pose is not one, or missing.
        bodies_rejected: usize = |s| s.bodies_rejected;
        }
        own {}
    }
}

shown! {
    /// One contact: a point of each body, and the gap between them along the manifold's normal.
    Contact(engine::Contact) {
        show {
        /// Distance along the normal \[m\]: negative inside each other.
        gap: f64 = |s| s.gap;
        /// A number kept for the life of the contact.
        id: u64 = |s| s.id;
        /// True if it was not there at the last update.
        is_new: bool = |s| s.previous.is_none();
        }
        own {
            /// On the surface of body a, in the world \[m\].
            #[getter]
            fn point_a<'py>(&self, py: Python<'py>) -> Array<'py> {
                array3(py, &self.0.point_a)
            }

            /// On the surface of body b, in the world \[m\].
            #[getter]
            fn point_b<'py>(&self, py: Python<'py>) -> Array<'py> {
                array3(py, &self.0.point_b)
            }
        }
    }
}

/// Contacts of two colliders that share one normal.
#[pyclass(frozen, module = "palpable.geometry")]
#[derive(Debug)]
pub struct Manifold {
    inner: engine::Manifold,
    contacts: Vec<engine::Contact>,
}

#[pymethods]
impl Manifold {
    /// The body with the lower number.
    #[getter]
    fn body_a(&self) -> u32 {
        self.inner.body_a
    }

    /// The body with the higher number.
    #[getter]
    fn body_b(&self) -> u32 {
        self.inner.body_b
    }

    /// Collider of body a, as numbered when the pipeline was built.
    #[getter]
    fn collider_a(&self) -> u32 {
        self.inner.collider_a
    }

    /// Collider of body b.
    #[getter]
    fn collider_b(&self) -> u32 {
        self.inner.collider_b
    }

    /// Unit vector in the world, from a to b: a pushes b along it.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.inner.normal)
    }

    /// Its contacts, 1 to 8.
    #[getter]
    fn contacts(&self) -> Vec<Contact> {
        self.contacts.iter().map(|c| Contact(*c)).collect()
    }

    fn __repr__(&self) -> String {
        let m = &self.inner;
        format!("<Manifold of bodies {} and {}, {} contacts>", m.body_a, m.body_b, m.count)
    }
}

/// Where a ray enters a shape.
#[pyclass(frozen, module = "palpable.geometry")]
#[derive(Debug)]
pub struct RayHit(pub engine::RayHit);

#[pymethods]
impl RayHit {
    /// Along the ray \[m\].
    #[getter]
    fn distance(&self) -> f64 {
        self.0.distance
    }

    /// In the world \[m\].
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.0.point)
    }

    /// Unit normal of the surface in the world, against the ray.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.0.normal)
    }

    fn __repr__(&self) -> String {
        format!("<RayHit after {} m>", self.0.distance)
    }
}

/// The nearest, or deepest, place of two shapes.
#[pyclass(frozen, module = "palpable.geometry")]
#[derive(Debug)]
pub struct Proximity(pub engine::Proximity);

#[pymethods]
impl Proximity {
    /// Signed distance \[m\]: negative is how far they must be moved apart along the normal.
    #[getter]
    fn gap(&self) -> f64 {
        self.0.gap
    }

    /// Unit vector in the world, from the one that asks to the other.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.0.normal)
    }

    /// On the surface of the one that asks, in the world \[m\].
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.0.point_a)
    }

    /// On the surface of the other, in the world \[m\].
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.0.point_b)
    }

    fn __repr__(&self) -> String {
        format!("<Proximity of {} m>", self.0.gap)
    }
}

/// The first touch of two moving shapes.
#[pyclass(frozen, module = "palpable.geometry")]
#[derive(Debug)]
pub struct Impact(pub engine::Impact);

#[pymethods]
impl Impact {
    /// When \[s\], from 0.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time
    }

    /// Where, at that time.
    #[getter]
    fn proximity(&self) -> Proximity {
        Proximity(self.0.proximity)
    }

    fn __repr__(&self) -> String {
        format!("<Impact after {} s>", self.0.time)
    }
}

/// What a question found, and on which body.
#[pyclass(frozen, module = "palpable.geometry")]
#[derive(Debug)]
pub struct Found {
    /// The number of the body.
    #[pyo3(get)]
    body: usize,
    /// The collider, as numbered when the pipeline was built.
    #[pyo3(get)]
    collider: usize,
    /// What was found there: a `RayHit`, a `Proximity` or an `Impact`.
    #[pyo3(get)]
    what: Py<PyAny>,
}

impl Found {
    fn wrap<'py, T, W>(
        py: Python<'py>,
        found: Option<engine::Found<T>>,
        what: impl FnOnce(T) -> W,
    ) -> PyResult<Option<Self>>
    where
        W: IntoPyObject<'py>,
    {
        let wrapped = |f: engine::Found<T>| {
            Ok(Self { body: f.body, collider: f.collider, what: what(f.what).into_py_any(py)? })
        };
        found.map(wrapped).transpose()
    }
}

#[pymethods]
impl Found {
    fn __repr__(&self) -> String {
        format!("<Found on body {}: {}>", self.body, self.what)
    }
}

/// A pose that moves at constant velocities, linear in the world, angular about its origin.
#[pyclass(frozen, from_py_object, module = "palpable.geometry")]
#[derive(Debug, Clone, Copy)]
pub struct Motion(pub engine::Motion);

#[pymethods]
impl Motion {
    /// Where it begins, velocity \[m/s\] and angular velocity \[rad/s\], world axes.
    #[new]
    #[pyo3(signature = (pose, velocity=V3(palpable::Vec3::zeros()),
                        angular_velocity=V3(palpable::Vec3::zeros())))]
    fn new(pose: Pose, velocity: V3, angular_velocity: V3) -> Self {
        let (velocity, angular_velocity) = (velocity.0, angular_velocity.0);
        Self(engine::Motion { pose: frame(&pose), velocity, angular_velocity })
    }

    /// A pose that stays.
    #[staticmethod]
    fn still(pose: Pose) -> Self {
        Self(engine::Motion::still(frame(&pose)))
    }

    /// A pose that moves without turning \[m/s\].
    #[staticmethod]
    fn sliding(pose: Pose, velocity: V3) -> Self {
        Self(engine::Motion::sliding(frame(&pose), velocity.0))
    }

    /// The pose at a time \[s\].
    fn at(&self, time: f64) -> Pose {
        let at = self.0.at(time);
        Pose(palpable::Pose { position: at.translation.vector, rotation: at.rotation })
    }
}

/// Finds the contacts of a scene from the poses of its bodies, and answers questions about it.
#[pyclass(module = "palpable.geometry")]
#[derive(Debug, Clone)]
pub struct CollisionPipeline(engine::CollisionPipeline);

#[pymethods]
impl CollisionPipeline {
    /// A scene of colliders on bodies 0 to `bodies` - 1. Room for `contacts` and near `pairs`, by
    /// their number if 0; contacts nearer than `cluster_distance` \[m\] become one, one that moved
    /// less than `coherence_distance` \[m\] is the same; pairs of bodies in `excluded` never touch.
    #[new]
    #[pyo3(signature = (bodies, colliders, *, contacts=Count(0), pairs=Count(0),
                        cluster_distance=1e-4, coherence_distance=1e-2, excluded=vec![]))]
    fn new(
        bodies: Count,
        colliders: Vec<Collider>,
        contacts: Count,
        pairs: Count,
        cluster_distance: f64,
        coherence_distance: f64,
        excluded: Vec<(Count, Count)>,
    ) -> PyResult<Self> {
        let excluded = excluded.into_iter().map(|(a, b)| (a.0, b.0)).collect();
        let (contacts, pairs) = (contacts.0, pairs.0);
        let options = engine::CollisionOptions {
            contacts,
            pairs,
            cluster_distance,
            coherence_distance,
            excluded,
        };
        let colliders: Vec<_> = colliders.into_iter().map(|c| c.0).collect();
        let made = engine::CollisionPipeline::new(bodies.0, &colliders, options);
        made.or_raise(errors::build).map(Self)
    }

    /// Finds all contacts with a gap up to `margin` \[m\] at the given poses, one for each body.
    fn update(&mut self, py: Python<'_>, poses: Vec<Pose>, margin: f64) -> CollisionReport {
        let frames: Vec<_> = poses.iter().map(frame).collect();
        let pipeline = &mut self.0;
        CollisionReport(py.detach(move || pipeline.update(&frames, margin)))
    }

    /// Manifolds of the last update with their contacts; a copy.
    fn manifolds(&self) -> Vec<Manifold> {
        let contacts = self.0.contacts();
        let of = |m: &engine::Manifold| Manifold {
            inner: *m,
            contacts: contacts.get(m.range()).unwrap_or_default().to_vec(),
        };
        self.0.manifolds().iter().map(of).collect()
    }

    /// Contacts of the last update, manifold by manifold; a copy.
    fn contacts(&self) -> Vec<Contact> {
        self.0.contacts().iter().map(|c| Contact(*c)).collect()
    }

    /// The first collider that a ray from `start` \[m\] along `direction` enters, up to
    /// `most` \[m\].
    #[pyo3(signature = (start, direction, most, groups=Groups(engine::Groups::ALL)))]
    fn ray_cast(
        &self,
        py: Python<'_>,
        start: V3,
        direction: V3,
        most: f64,
        groups: Groups,
    ) -> PyResult<Option<Found>> {
        Found::wrap(py, self.0.ray_cast(&start.0, &direction.0, most, groups.0), RayHit)
    }

    /// The collider nearest to a shape at a pose, if nearer than `within` \[m\].
    #[pyo3(signature = (shape, pose, within, groups=Groups(engine::Groups::ALL)))]
    fn nearest(
        &self,
        py: Python<'_>,
        shape: CollisionShape,
        pose: Pose,
        within: f64,
        groups: Groups,
    ) -> PyResult<Option<Found>> {
        let found = self.0.nearest(&shape.inner, &frame(&pose), within, groups.0);
        Found::wrap(py, found, Proximity)
    }

    /// The first collider that a moving shape touches within `duration` \[s\], all others standing.
    #[pyo3(signature = (shape, motion, duration, groups=Groups(engine::Groups::ALL)))]
    fn first_impact(
        &self,
        py: Python<'_>,
        shape: CollisionShape,
        motion: Motion,
        duration: f64,
        groups: Groups,
    ) -> PyResult<Option<Found>> {
        let found = self.0.first_impact(&shape.inner, &motion.0, duration, groups.0);
        Found::wrap(py, found, Impact)
    }

    /// Forgets contacts and pairs, as after a jump to another state.
    fn reset(&mut self) {
        self.0.reset();
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}
