//! Enums whose variants have names, on the wire, in records and in tables. Knows none of them.

/// Makes an enum from one list: documentation, variant and name of each. The names are those of serde, too.
macro_rules! named {
    ($(#[$about:meta])* pub enum $Enum:ident { $($(#[$doc:meta])+ $Variant:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum $Enum {
            $($(#[$doc])+ #[serde(rename = $name)] $Variant,)+
        }

        impl $Enum {
            /// All of them, in order.
            pub const ALL: [$Enum; [$($name),+].len()] = [$($Enum::$Variant),+];

            /// The name on the wire, in records and in tables.
            pub const fn name(self) -> &'static str {
                match self {
                    $($Enum::$Variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use named;
