//! The parameters of a request, read as the action declares them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ipnet::{Ipv4Net, Ipv6Net};

use super::{Form, Parameter};

/// The values of a request, by the names of the declaration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments {
    declared: Declared,
    values: BTreeMap<&'static str, Argument>,
}

/// The declaration by which the arguments were read.
#[derive(Clone, Copy, Debug, Default)]
struct Declared(&'static [Parameter]);

impl PartialEq for Declared {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Argument {
    Text(String),
    Integer(i64),
    Boolean(bool),
    Texts(Vec<String>),
    Records(Vec<Arguments>),
}

/// Why a request does not fit the declaration of its action.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Problem {
    /// A parameter is missing.
    #[error("`{name}` is missing")]
    Missing {
        /// Its name on the wire.
        name: String,
        /// The declaration of the parameter.
        parameter: &'static Parameter,
    },
    /// There is no such parameter.
    #[error("`{name}` is unknown")]
    Unknown {
        /// The name as it was sent.
        name: String,
    },
    /// A value has another form.
    #[error("`{name}` must be {expected}")]
    Malformed {
        /// The name on the wire.
        name: String,
        /// The form that the value must have.
        expected: String,
        /// The declaration of the parameter.
        parameter: &'static Parameter,
    },
}

/// The named values of a request or of a record in it. Reading a value removes it.
type Given<'a> = BTreeMap<&'a str, &'a str>;

impl Arguments {
    /// Reads arguments by a declaration, which names all parameters that are allowed. Empty values count as
    /// absent, as the cloud has it.
    pub fn read<'a>(
        declared: &'static [Parameter],
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Problem> {
        let mut given: Given<'a> = given.into_iter().collect();
        let arguments = Self::take(declared, "", &mut given)?;
        match given.into_keys().next() {
            Some(name) => Err(Problem::Unknown { name: name.to_owned() }),
            None => Ok(arguments),
        }
    }

    fn take(declared: &'static [Parameter], prefix: &str, given: &mut Given<'_>) -> Result<Self, Problem> {
        let mut values = BTreeMap::new();
        for parameter in declared {
            let name = if prefix.is_empty() {
                Cow::Borrowed(parameter.name)
            } else {
                Cow::Owned(format!("{prefix}.{}", parameter.name))
            };
            let value = match parameter.form {
                Form::List { most, of } => list(parameter, &name, most, of, given)?,
                Form::Records { most, of } => records(parameter, &name, most, of, given)?,
                form => given
                    .remove(&*name)
                    .filter(|text| !text.is_empty())
                    .or(parameter.default)
                    .map(|text| scalar(form, text).ok_or_else(|| malformed(parameter, &name, form.describe())))
                    .transpose()?,
            };
            match value {
                Some(value) => {
                    values.insert(parameter.name, value);
                }
                None if parameter.required => {
                    return Err(Problem::Missing { name: name.into_owned(), parameter });
                }
                None => {}
            }
        }
        Ok(Self { declared: Declared(declared), values })
    }

    fn get(&self, name: &str) -> Option<&Argument> {
        debug_assert!(
            self.declared.0.iter().any(|parameter| parameter.name == name),
            "{name} is read but not declared"
        );
        self.values.get(name)
    }

    /// The text of a parameter, empty where it was left out.
    pub fn text(&self, name: &str) -> &str {
        self.given(name).unwrap_or_default()
    }

    /// The text of a parameter, if it was given.
    pub fn given(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Argument::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number, if it was given.
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Argument::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// A truth value, if it was given.
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Argument::Boolean(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The texts of a list, of a JSON array, or with commas between them.
    pub fn texts(&self, name: &str) -> &[String] {
        match self.get(name) {
            Some(Argument::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// The records of a list.
    pub fn records(&self, name: &str) -> &[Arguments] {
        match self.get(name) {
            Some(Argument::Records(records)) => records,
            _ => &[],
        }
    }

    /// An IPv4 block, if it was given.
    pub fn cidr4(&self, name: &str) -> Option<Ipv4Net> {
        self.given(name)?.parse().ok()
    }

    /// An IPv6 block, if it was given.
    pub fn cidr6(&self, name: &str) -> Option<Ipv6Net> {
        self.given(name)?.parse().ok()
    }

    /// Whether a parameter was given or has a default.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

fn malformed(parameter: &'static Parameter, name: &str, expected: String) -> Problem {
    Problem::Malformed { name: name.to_owned(), expected, parameter }
}

fn scalar(form: Form, text: &str) -> Option<Argument> {
    Some(match form {
        Form::Text(rule) => {
            if !(rule.check)(text) {
                return None;
            }
            Argument::Text(text.to_owned())
        }
        Form::Integer(least, most) => {
            let number: i64 = text.parse().ok()?;
            if !(least..=most).contains(&number) {
                return None;
            }
            Argument::Integer(number)
        }
        // The SDKs of some languages write True and False.
        Form::Boolean if text.eq_ignore_ascii_case("true") => Argument::Boolean(true),
        Form::Boolean if text.eq_ignore_ascii_case("false") => Argument::Boolean(false),
        Form::OneOf(words) => Argument::Text((*words.iter().find(|word| **word == text)?).to_owned()),
        Form::Commas(most) => texts(text.split(',').map(|text| text.trim().to_owned()).collect(), most)?,
        Form::Json(most) => texts(serde_json::from_str(text).ok()?, most)?,
        Form::Boolean | Form::List { .. } | Form::Records { .. } => return None,
    })
}

fn texts(texts: Vec<String>, most: usize) -> Option<Argument> {
    (texts.len() <= most).then_some(Argument::Texts(texts))
}

/// The numbers of the items that a list has, in order, up to a most.
fn numbers(
    parameter: &'static Parameter,
    name: &str,
    most: usize,
    given: &Given<'_>,
) -> Result<Vec<usize>, Problem> {
    let start = format!("{name}.");
    let mut numbers: Vec<usize> = given
        .range(start.as_str()..)
        .take_while(|(key, _)| key.starts_with(&start))
        .filter_map(|(key, _)| key.get(start.len()..)?.split('.').next()?.parse().ok())
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() > most || numbers.first() == Some(&0) {
        return Err(malformed(parameter, name, parameter.form.describe()));
    }
    Ok(numbers)
}

fn list(
    parameter: &'static Parameter,
    name: &str,
    most: usize,
    of: &'static Form,
    given: &mut Given<'_>,
) -> Result<Option<Argument>, Problem> {
    let mut texts = Vec::new();
    for number in numbers(parameter, name, most, given)? {
        let name = format!("{name}.{number}");
        let Some(text) = given.remove(name.as_str()).filter(|text| !text.is_empty()) else { continue };
        match scalar(*of, text) {
            Some(_) => texts.push(text.to_owned()),
            None => return Err(malformed(parameter, &name, of.describe())),
        }
    }
    Ok((!texts.is_empty()).then_some(Argument::Texts(texts)))
}

fn records(
    parameter: &'static Parameter,
    name: &str,
    most: usize,
    of: &'static [Parameter],
    given: &mut Given<'_>,
) -> Result<Option<Argument>, Problem> {
    let mut records = Vec::new();
    for number in numbers(parameter, name, most, given)? {
        records.push(Arguments::take(of, &format!("{name}.{number}"), given)?);
    }
    Ok((!records.is_empty()).then_some(Argument::Records(records)))
}

#[cfg(test)]
mod tests {
    use super::super::{BOOLEAN, CIDR4, INTEGER, TEXT, list, optional, records, required};
    use super::*;

    const DECLARED: &[Parameter] = &[
        required("VpcId", TEXT),
        optional("CidrBlock", CIDR4),
        optional("PageSize", Form::Integer(1, 50)).or("10"),
        optional("Priority", INTEGER),
        optional("Force", BOOLEAN),
        optional("Ids", Form::Json(2)),
        optional("Names", Form::Commas(2)),
        optional("Zone", list(2, &TEXT)),
        optional("Tag", records(2, &[required("Key", TEXT), optional("Value", TEXT)])),
    ];

    fn read(given: &[(&'static str, &'static str)]) -> Result<Arguments, String> {
        Arguments::read(DECLARED, given.iter().copied()).map_err(|problem| problem.to_string())
    }

    #[test]
    fn values_are_read_as_declared() {
        let arguments = read(&[
            ("VpcId", "vpc-1"),
            ("CidrBlock", "10.0.0.0/8"),
            ("Force", "True"),
            ("Ids", "[\"a\",\"b\"]"),
            ("Names", "a, b"),
            ("Zone.2", "z2"),
            ("Zone.1", "z1"),
            ("Tag.1.Key", "k"),
            ("Tag.1.Value", ""),
            ("Tag.10.Key", "l"),
        ])
        .unwrap();
        assert_eq!(arguments.text("VpcId"), "vpc-1");
        assert_eq!(arguments.cidr4("CidrBlock"), "10.0.0.0/8".parse().ok());
        assert_eq!(arguments.integer("PageSize"), Some(10));
        assert_eq!(arguments.integer("Priority"), None);
        assert_eq!(arguments.flag("Force"), Some(true));
        assert_eq!(arguments.texts("Ids"), ["a", "b"]);
        assert_eq!(arguments.texts("Names"), ["a", "b"]);
        assert_eq!(arguments.texts("Zone"), ["z1", "z2"]);
        let keys: Vec<_> =
            arguments.records("Tag").iter().map(|tag| (tag.text("Key"), tag.given("Value"))).collect();
        assert_eq!(keys, [("k", None), ("l", None)]);
    }

    #[test]
    fn what_does_not_keep_the_declaration_is_named() {
        for (given, problem) in [
            (&[][..], "`VpcId` is missing"),
            (&[("VpcId", "")], "`VpcId` is missing"),
            (&[("VpcId", "v"), ("Colour", "red")], "`Colour` is unknown"),
            (&[("VpcId", "v"), ("vpcid", "v")], "`vpcid` is unknown"),
            (&[("VpcId", "v"), ("Zone", "z")], "`Zone` is unknown"),
            (&[("VpcId", "v"), ("Zone.x", "z")], "`Zone.x` is unknown"),
            (&[("VpcId", "v"), ("Tag.1.Colour", "red"), ("Tag.1.Key", "k")], "`Tag.1.Colour` is unknown"),
            (&[("VpcId", "v"), ("Tag.2.Value", "v")], "`Tag.2.Key` is missing"),
            (&[("VpcId", "v"), ("PageSize", "51")], "`PageSize` must be a whole number from 1 to 50"),
            (&[("VpcId", "v"), ("PageSize", "ten")], "`PageSize` must be a whole number from 1 to 50"),
            (&[("VpcId", "v"), ("Force", "yes")], "`Force` must be true or false"),
            (&[("VpcId", "v"), ("Ids", "a")], "`Ids` must be a JSON array of at most 2 strings"),
            (&[("VpcId", "v"), ("Names", "a,b,c")], "`Names` must be at most 2 values with commas between them"),
            (&[("VpcId", "v"), ("Zone.0", "a")], "`Zone` must be at most 2, each text of at most 1024 characters"),
            (
                &[("VpcId", "v"), ("CidrBlock", "10.0.0.1/8")],
                "`CidrBlock` must be an IPv4 CIDR block without host bits, such as 10.0.0.0/16",
            ),
        ] {
            assert_eq!(read(given).unwrap_err(), problem, "{given:?}");
        }
    }
}
