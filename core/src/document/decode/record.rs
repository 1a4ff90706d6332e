//! Declares objects with fields.

/// Declares a struct that is decoded from an object, and whose JSON Schema the feature `schema` derives.
///
/// A field has the name of its member in snake case, or says the name of the member by `#[name = "…"]`. Where an
/// object lacks a member, the field keeps its zero value. A struct may leave the type of a part to those who use
/// it.
///
/// ```
/// use trellis_core::document::decode::{Mode, decode};
/// use trellis_core::document::parse;
///
/// trellis_core::record! {
///     /// A disk.
///     #[derive(Debug, Default)]
///     pub struct Disk<'a> {
///         /// Its size.
///         pub size_in_gib: i64,
///         /// Its category.
///         #[name = "type"]
///         pub category: Option<&'a str>,
///     }
/// }
///
/// let value = parse(r#"{"sizeInGib":20}"#).unwrap();
/// let disk: Disk<'_> = decode(&value, Mode::Strict).unwrap();
/// assert_eq!((disk.size_in_gib, disk.category), (20, None));
/// ```
#[macro_export]
macro_rules! record {
    (
        $(#[$about:meta])*
        $visibility:vis struct $record:ident $(<$life:lifetime $(, $part:ident)?>)? {
            $($(#[doc = $doc:literal])* $(#[name = $name:literal])? $seen:vis $field:ident: $type:ty,)+
        }
    ) => {
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(default, rename_all = "camelCase"))]
        $(#[$about])*
        $visibility struct $record $(<$life $(, $part)?>)? {
            $(
                $(#[doc = $doc])*
                $(#[cfg_attr(feature = "schema", schemars(rename = $name))])?
                $seen $field: $type,
            )+
        }

        impl<'v $(, $life $(, $part: $crate::document::decode::Target<'v> + Default)?)?>
            $crate::document::decode::Target<'v> for $record $(<$life $(, $part)?>)?
        $(where 'v: $life)?
        {
            fn decode(
                &mut self,
                node: &$crate::document::decode::Node<'_, 'v>,
            ) -> Result<(), $crate::document::decode::DecodeError> {
                const FIELDS: &[&str] = &[$($crate::record!(@name $field $($name)?)),+];
                node.fields(FIELDS, &mut [$(&mut self.$field),+])
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
}
