//! Documents declare their fields once; reader, schema and writer follow from that.

/// A table with named fields. What is wrong with a field is noted, and the field left empty.
macro_rules! document {
    (
        $(#[$meta:meta])*
        struct $name:ident {
            required { $($(#[$rmeta:meta])* $required:ident: $rtype:ty,)* }
            optional { $($(#[$ometa:meta])* $optional:ident: $otype:ty,)* }
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default, serde::Serialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            $(
                $(#[$rmeta])*
                pub $required: $crate::read::Field<$rtype>,
            )*
            $(
                $(#[$ometa])*
                #[serde(default, skip_serializing_if = "crate::read::Field::is_empty")]
                pub $optional: $crate::read::Field<$otype>,
            )*
        }

        impl $crate::read::Read for $name {
            fn read(
                node: &$crate::tree::Node,
                at: &$crate::place::Place,
                mistakes: &mut $crate::place::Mistakes,
            ) -> Option<Self> {
                let known = [$(stringify!($required),)* $(stringify!($optional),)*];
                let fields = $crate::read::Fields::open(node, &known, at, mistakes)?;
                Some(Self {
                    $($required: fields.required(stringify!($required), mistakes),)*
                    $($optional: fields.optional(stringify!($optional), mistakes),)*
                })
            }
        }
    };
}

/// A table that holds exactly one of several things: `{ sphere = { .. } }`.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        enum $name:ident { $($(#[$vmeta:meta])* $variant:ident($key:literal, $type:ty),)+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, schemars::JsonSchema)]
        pub(crate) enum $name {
            $($(#[$vmeta])* #[serde(rename = $key)] $variant(Box<$type>),)+
        }

        impl $crate::read::Read for $name {
            fn read(
                node: &$crate::tree::Node,
                at: &$crate::place::Place,
                mistakes: &mut $crate::place::Mistakes,
            ) -> Option<Self> {
                let (entry, place) =
                    $crate::read::read_choice(node, &[$($key),+], at, mistakes)?;
                match entry.key.as_str() {
                    $(
                        $key => <$type>::read(&entry.node, &place, mistakes)
                            .map(|value| Self::$variant(Box::new(value))),
                    )+
                    _ => None,
                }
            }
        }
    };
}

/// One of a few words.
macro_rules! words {
    (
        $(#[$meta:meta])*
        enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal,)+ }
    ) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, schemars::JsonSchema,
        )]
        pub(crate) enum $name {
            $($(#[$vmeta])* #[serde(rename = $word)] $variant,)+
        }

        impl $crate::read::Read for $name {
            fn read(
                node: &$crate::tree::Node,
                at: &$crate::place::Place,
                mistakes: &mut $crate::place::Mistakes,
            ) -> Option<Self> {
                let words = [$(($word, Self::$variant)),+];
                $crate::read::read_word(node, &words, at, mistakes)
            }
        }
    };
}

pub(crate) use {choice, document, words};
