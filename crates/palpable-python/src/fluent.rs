//! Descriptions as in Rust: `Body.sphere("ball", 0.01).mass(0.1)`. Each call gives a new object.

use crate::vector::{Count, M3, Numbers, Points, Triangles, V3, V6};
use palpable::{Mat3, Vec3, Vec6};

/// What Python gives, as the engine takes it.
pub trait Give {
    /// The engine's type.
    type Out;
    /// Hands it over.
    fn give(self) -> Self::Out;
}

macro_rules! give {
    ($($Type:ty => $Out:ty: |$s:ident| $value:expr;)*) => {$(
        impl Give for $Type {
            type Out = $Out;
            fn give(self) -> $Out {
                let $s = self;
                $value
            }
        }
    )*};
}
pub(crate) use give;

give! {
    f64 => f64: |v| v;
    String => String: |v| v;
    Count => usize: |v| v.0;
    V3 => Vec3: |v| v.0;
    V6 => Vec6: |v| v.0;
    M3 => Mat3: |v| v.0;
    Numbers => Vec<f64>: |v| v.0;
    Points => Vec<Vec3>: |v| v.0;
    Triangles => Vec<[u32; 3]>: |v| v.0;
}

/// A class around a description of the engine. `make` are its constructors, of which `like` shows
/// one, `with` what changes it; `own` are written by hand.
macro_rules! fluent {
    (
        $(#[$doc:meta])* $Class:ident ($Inner:ty) $(like $like:literal)? {
            make { $($(#[$make_doc:meta])*
                fn $make:ident($($make_arg:ident: $make_type:ty),*) $make_body:block)* }
            with { $($(#[$with_doc:meta])*
                fn $with:ident($with_self:ident $(, $with_arg:ident: $with_type:ty)*)
                $with_body:block)* }
            own { $($own:tt)* }
        }
    ) => {
        $(#[$doc])*
        #[pyo3::pyclass(frozen, from_py_object, module = "palpable")]
        #[derive(Debug, Clone)]
        pub struct $Class {
            /// The engine's description.
            pub inner: $Inner,
            recipe: $crate::recipe::Recipe,
        }

        impl $Class {
            /// How it was made.
            #[allow(dead_code)]
            pub fn recipe(&self) -> &$crate::recipe::Recipe {
                &self.recipe
            }
        }

        #[pyo3::pymethods]
        impl $Class {
            $(
            /// Says how it is made.
            #[new]
            #[pyo3(signature = (*_arguments, **_named))]
            fn __new__(
                _arguments: &pyo3::Bound<'_, pyo3::types::PyTuple>,
                _named: Option<&pyo3::Bound<'_, pyo3::types::PyDict>>,
            ) -> pyo3::PyResult<Self> {
                let words = concat!(stringify!($Class), " is made by its kind, such as ", $like);
                Err(pyo3::exceptions::PyTypeError::new_err(words))
            }
            )?

            $($(#[$make_doc])*
            #[staticmethod]
            fn $make(py: pyo3::Python<'_>, $($make_arg: $make_type),*) -> pyo3::PyResult<Self> {
                let arguments = vec![
                    $(pyo3::IntoPyObjectExt::into_py_any($make_arg.clone(), py)?),*
                ];
                let recipe = $crate::recipe::Recipe::begin(py, stringify!($make), arguments)?;
                $(let $make_arg = $crate::fluent::Give::give($make_arg);)*
                Ok(Self { inner: $make_body, recipe })
            })*

            $($(#[$with_doc])*
            fn $with(&self, py: pyo3::Python<'_>, $($with_arg: $with_type),*)
                -> pyo3::PyResult<Self> {
                let arguments = vec![
                    $(pyo3::IntoPyObjectExt::into_py_any($with_arg.clone(), py)?),*
                ];
                let recipe = self.recipe.then(py, stringify!($with), arguments)?;
                $(let $with_arg = $crate::fluent::Give::give($with_arg);)*
                let $with_self = self.inner.clone();
                Ok(Self { inner: $with_body, recipe })
            })*

            fn __reduce__<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<$crate::recipe::Reduced<'py>> {
                let class = <Self as pyo3::PyTypeInfo>::type_object(py).into_any();
                let recipe = self.recipe.calls(py).into_bound(py).into_any();
                let arguments = pyo3::types::PyTuple::new(py, [class, recipe])?;
                $crate::recipe::reduce(py, "_remake", arguments)
            }

            $($own)*
        }
    };
}
pub(crate) use fluent;
