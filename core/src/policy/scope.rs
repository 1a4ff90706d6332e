//! What verdicts of a policy cover.

use std::borrow::Cow;

use serde::Serialize;

/// What a verdict covers. A verdict says nothing of rules that are not checked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// Whose rules the policy checked: the release of the existing extension, or of Gardener itself.
    pub checked: Vec<Cow<'static, str>>,
    /// The parts of these rules that the policy carries, such as `structure`; absent where it carries all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<&'static str>,
    /// What nobody checked. `gardener` stands for the rules of Gardener itself; another entry names, in plain
    /// words, a part of the object or of the rules that is left out, such as `a Shoot without workers` or
    /// `the seed`.
    pub not_checked: Vec<Cow<'static, str>>,
    /// Entries of `notChecked` that are about parts of the object, and where these are: an object without them has
    /// nothing there that was not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
}

/// Rules that nobody checked, about parts of the object.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Section {
    /// The entry of `notChecked`.
    pub name: &'static str,
    /// The parts, as RFC 6901 pointers.
    pub pointers: &'static [&'static str],
}

impl Scope {
    /// The scope of a policy that carries all rules of that release of an extension.
    pub fn of(parity: &'static str) -> Self {
        Self {
            checked: vec![parity.into()],
            parts: Vec::new(),
            not_checked: vec!["gardener".into()],
            sections: Vec::new(),
        }
    }
}
