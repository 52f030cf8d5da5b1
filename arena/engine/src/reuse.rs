//! Copies of games in memory that is already there: a search makes many. Derived, `clone_from` would allocate every list
//! again.

/// `Clone` of a struct with these fields, whose `clone_from` reuses the memory of each.
macro_rules! clone_in_place {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl Clone for $name {
            fn clone(&self) -> $name {
                $name { $($field: self.$field.clone()),+ }
            }

            fn clone_from(&mut self, other: &$name) {
                $(self.$field.clone_from(&other.$field);)+
            }
        }
    };
}
pub(crate) use clone_in_place;
