//! What a policy enforces or advises, described once for findings, help texts and the rule reference.

use serde::Serialize;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The object is rejected.
    Error,
    /// The object is accepted; somebody should look.
    Warning,
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Rejects or warns: a rule of `validate`.
    Validate,
    /// Changes the object: a rule of `default`.
    Default,
}

/// The requests for which a rule runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// Only when an object is created.
    Create,
    /// Only when an object is changed.
    Update,
    /// On both.
    Both,
}

/// One rule of a provider. Its texts are for the person who wrote the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Stable identifier, such as `ALI-INF-003`.
    pub id: &'static str,
    /// Kinds of the objects that the rule judges.
    pub kinds: &'static [&'static str],
    /// When the rule runs.
    pub operation: Operation,
    /// Whether the rule judges or changes.
    pub effect: Effect,
    /// How grave its findings are; absent for rules of `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// What must hold, or what is set, in one sentence.
    pub summary: &'static str,
    /// Why the rule exists.
    pub why: &'static str,
    /// How to mend a manifest that the rule complains about.
    pub fix: &'static str,
    /// Present on rows that can never reject or change anything: why that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub informative: Option<&'static str>,
}

impl Rule {
    /// A rule whose findings reject.
    pub const fn error(id: &'static str, kinds: &'static [&'static str], operation: Operation) -> Self {
        Self::new(id, kinds, operation, Effect::Validate, Some(Severity::Error))
    }

    /// A rule whose findings warn.
    pub const fn warning(id: &'static str, kinds: &'static [&'static str], operation: Operation) -> Self {
        Self::new(id, kinds, operation, Effect::Validate, Some(Severity::Warning))
    }

    /// A rule that sets defaults.
    pub const fn default(id: &'static str, kinds: &'static [&'static str], operation: Operation) -> Self {
        Self::new(id, kinds, operation, Effect::Default, None)
    }

    const fn new(
        id: &'static str,
        kinds: &'static [&'static str],
        operation: Operation,
        effect: Effect,
        severity: Option<Severity>,
    ) -> Self {
        Self { id, kinds, operation, effect, severity, summary: "", why: "", fix: "", informative: None }
    }

    /// Sets what must hold, or what is set.
    pub const fn summary(mut self, text: &'static str) -> Self {
        self.summary = text;
        self
    }

    /// Sets why the rule exists.
    pub const fn why(mut self, text: &'static str) -> Self {
        self.why = text;
        self
    }

    /// Sets how to mend.
    pub const fn fix(mut self, text: &'static str) -> Self {
        self.fix = text;
        self
    }

    /// Marks a row that can never reject or change anything.
    pub const fn informative(mut self, why: &'static str) -> Self {
        self.informative = Some(why);
        self
    }
}

/// Declares rules as constants and lists them, in order, as `ALL`.
#[macro_export]
macro_rules! rules {
    ($($name:ident = $rule:expr;)+) => {
        $(
            #[doc = concat!("`", stringify!($name), "`")]
            pub const $name: $crate::report::Rule = $rule;
        )+
        /// The rules of this section, in the order in which they run.
        pub const ALL: &[&$crate::report::Rule] = &[$(&$name),+];
    };
}
