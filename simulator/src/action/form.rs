//! Parameters, and the forms of their values.

use std::net::{Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

use super::ErrorCode;

/// A parameter of an action, or of a record within one.
#[derive(Debug)]
pub struct Parameter {
    /// Its name on the wire.
    pub name: &'static str,
    /// Whether a request without it is refused.
    pub required: bool,
    /// The form of its value.
    pub form: Form,
    /// The value that it has when it is left out.
    pub default: Option<&'static str>,
    /// The error for a value of another form, where it is not the [common one](super::common::INVALID_PARAMETER).
    pub malformed: Option<&'static ErrorCode>,
    /// The error where it is missing, where it is not the [common one](super::common::MISSING_PARAMETER).
    pub missing: Option<&'static ErrorCode>,
}

/// A parameter that may be left out.
pub const fn optional(name: &'static str, form: Form) -> Parameter {
    Parameter { name, required: false, form, default: None, malformed: None, missing: None }
}

/// A parameter that every request has to have.
pub const fn required(name: &'static str, form: Form) -> Parameter {
    Parameter { name, required: true, form, default: None, malformed: None, missing: None }
}

impl Parameter {
    /// Declares the value that it has when it is left out.
    pub const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// Declares the error for a value of another form.
    pub const fn malformed(mut self, error: &'static ErrorCode) -> Self {
        self.malformed = Some(error);
        self
    }

    /// Declares the error where it is missing.
    pub const fn missing(mut self, error: &'static ErrorCode) -> Self {
        self.missing = Some(error);
        self
    }
}

/// The form of a value on the wire.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Text that follows a rule.
    Text(&'static Rule),
    /// A decimal number between two bounds, both included.
    Integer(i64, i64),
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Texts with commas between them, at most so many.
    Commas(usize),
    /// Texts as a JSON array, at most so many.
    Json(usize),
    /// `Name.1`, `Name.2` and so on.
    List {
        /// Most of them.
        most: usize,
        /// Each of them: a form of text.
        of: &'static Form,
    },
    /// `Name.1.Key`, `Name.1.Value` and so on.
    Records {
        /// Most of them.
        most: usize,
        /// The parameters of each.
        of: &'static [Parameter],
    },
}

/// `Name.1`, `Name.2` and so on, at most so many.
pub const fn list(most: usize, of: &'static Form) -> Form {
    Form::List { most, of }
}

/// `Name.1.Key`, `Name.1.Value` and so on, at most so many.
pub const fn records(most: usize, of: &'static [Parameter]) -> Form {
    Form::Records { most, of }
}

/// A rule for a text.
#[derive(Debug)]
pub struct Rule {
    /// What the rule asks, in words that follow "must be".
    pub what: &'static str,
    /// Whether a text follows the rule.
    pub check: fn(&str) -> bool,
}

/// Most characters of a value that no rule of its own bounds.
const LONGEST: usize = 1024;

/// Any text of ordinary length.
pub const TEXT: Form =
    Form::Text(&Rule { what: "text of at most 1024 characters", check: |text| text.len() <= LONGEST });
/// Text of any length, for values with a limit of their own.
pub const ANY: Form = Form::Text(&Rule { what: "text", check: |_| true });
/// `true` or `false`.
pub const BOOLEAN: Form = Form::Boolean;
/// Any number.
pub const INTEGER: Form = Form::Integer(i64::MIN, i64::MAX);
/// Any number above zero.
pub const COUNT: Form = Form::Integer(1, i32::MAX as i64);
/// A client token.
pub const TOKEN: Form = Form::Text(&Rule {
    what: "1 to 64 ASCII characters",
    check: |text| text.is_ascii() && (1..=64).contains(&text.len()),
});
/// A canonical IPv4 block.
pub const CIDR4: Form = Form::Text(&Rule {
    what: "an IPv4 CIDR block without host bits, such as 10.0.0.0/16",
    check: |text| text.parse::<Ipv4Net>().is_ok_and(|net| net.trunc() == net),
});
/// A canonical IPv6 block.
pub const CIDR6: Form = Form::Text(&Rule {
    what: "an IPv6 CIDR block without host bits, such as 2408:4000::/56",
    check: |text| text.parse::<Ipv6Net>().is_ok_and(|net| net.trunc() == net),
});
/// An IPv4 address.
pub const ADDRESS: Form =
    Form::Text(&Rule { what: "an IPv4 address", check: |text| text.parse::<Ipv4Addr>().is_ok() });
/// An IPv6 address.
pub const ADDRESS6: Form =
    Form::Text(&Rule { what: "an IPv6 address", check: |text| text.parse::<Ipv6Addr>().is_ok() });
/// A time as the cloud writes it.
pub const TIME: Form = Form::Text(&Rule {
    what: "a time in UTC such as 2026-01-02T03:04:05Z",
    check: |text| text.parse::<jiff::Timestamp>().is_ok(),
});

impl Form {
    /// What a value has to be, in words that follow "must be".
    pub fn describe(&self) -> String {
        match self {
            Self::Text(rule) => rule.what.to_owned(),
            Self::Integer(i64::MIN, i64::MAX) => "a whole number".to_owned(),
            Self::Integer(least, most) => format!("a whole number from {least} to {most}"),
            Self::Boolean => "true or false".to_owned(),
            Self::OneOf(words) => format!("one of {}", words.join(", ")),
            Self::Commas(most) => format!("at most {most} values with commas between them"),
            Self::Json(most) => format!("a JSON array of at most {most} strings"),
            Self::List { most, of } => format!("at most {most}, each {}", of.describe()),
            Self::Records { most, .. } => format!("at most {most}"),
        }
    }
}
