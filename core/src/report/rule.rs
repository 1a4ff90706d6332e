//! Rules: what a policy enforces or advises. Findings, help texts and the rule reference all use this one
//! description.

use serde::Serialize;

use super::Release;

/// What a finding means for the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The policy rejects the object.
    Error,
    /// The policy accepts the object; a person should look at it.
    Warning,
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// The rule rejects or warns: a rule of `validate`.
    Validate,
    /// The rule changes the object: a rule of `default`.
    Default,
}

/// The requests for which a rule runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// The creation of an object.
    Create,
    /// A change of an object.
    Update,
    /// Both.
    Both,
}

/// One rule of a provider. `rules` answers it without its words, which no module for WebAssembly holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Stable identifier, such as `ALI-INF-003`.
    pub id: &'static str,
    /// Kinds of the objects that the rule judges.
    pub kinds: &'static [&'static str],
    /// The requests for which the rule runs.
    pub operation: Operation,
    /// Whether the rule judges or changes.
    pub effect: Effect,
    /// The severity of its findings; absent for rules of `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// Present, and `true`, on a rule that can never reject or change anything.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub informative: bool,
    /// Ids of the rules of Gardener itself that this rule repeats. A face that asks both policies leaves out a
    /// finding of one of these at the place of a finding of this rule. Absent where there are none.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub doubles: &'static [&'static str],
    /// The first release of the existing software that has the rule; absent where all have it that the policy
    /// knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Release>,
    /// The first release that has the rule no more; absent where the newest one has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Release>,
    /// How to fix a manifest that the rule complains about. Modules hold this text alone of all words: a finding
    /// that has no remedy of its own quotes the text. Empty where no finding has the rule.
    #[serde(skip)]
    pub fix: &'static str,
    /// What the rule says to a person.
    #[cfg(feature = "words")]
    #[serde(skip)]
    pub words: RuleWords,
}

/// What a rule says to the person who wrote the manifest.
#[cfg(feature = "words")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleWords {
    /// What must hold, or what the rule sets, in one sentence.
    pub summary: &'static str,
    /// Why the rule exists.
    pub why: &'static str,
    /// How to fix a manifest that the rule complains about.
    pub fix: &'static str,
    /// Present on a rule that can never reject or change anything: why that is so.
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
        Self {
            id,
            kinds,
            operation,
            effect,
            severity,
            informative: false,
            doubles: &[],
            since: None,
            until: None,
            fix: "",
            #[cfg(feature = "words")]
            words: RuleWords { summary: "", why: "", fix: "", informative: None },
        }
    }

    /// Sets the sentence about what must hold, or what the rule sets.
    #[cfg_attr(not(feature = "words"), expect(unused_variables, unused_mut))]
    pub const fn summary(mut self, text: &'static str) -> Self {
        #[cfg(feature = "words")]
        {
            self.words.summary = text;
        }
        self
    }

    /// Sets why the rule exists.
    #[cfg_attr(not(feature = "words"), expect(unused_variables, unused_mut))]
    pub const fn why(mut self, text: &'static str) -> Self {
        #[cfg(feature = "words")]
        {
            self.words.why = text;
        }
        self
    }

    /// Sets how to fix a manifest.
    pub const fn fix(mut self, text: &'static str) -> Self {
        if matches!(self.effect, Effect::Validate) {
            self.fix = text;
        }
        #[cfg(feature = "words")]
        {
            self.words.fix = text;
        }
        self
    }

    /// Names the rules of Gardener itself that this rule repeats.
    pub const fn doubles(mut self, ids: &'static [&'static str]) -> Self {
        self.doubles = ids;
        self
    }

    /// Says which minor release brought the rule.
    pub const fn since(mut self, minor: u16) -> Self {
        self.since = Some(Release::of(minor));
        self
    }

    /// Says which minor release has the rule no more.
    pub const fn until(mut self, minor: u16) -> Self {
        self.until = Some(Release::of(minor));
        self
    }

    /// Whether a release has the rule.
    pub fn is_of(&self, release: Release) -> bool {
        self.since.is_none_or(|since| since <= release) && self.until.is_none_or(|until| release < until)
    }

    /// Marks a rule that can never reject or change anything.
    #[cfg_attr(not(feature = "words"), expect(unused_variables))]
    pub const fn informative(mut self, why: &'static str) -> Self {
        self.informative = true;
        self.fix = "";
        #[cfg(feature = "words")]
        {
            self.words.informative = Some(why);
        }
        self
    }
}

/// Declares rules as constants, and lists the rules in their order as `ALL`.
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
