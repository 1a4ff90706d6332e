//! Resolves arguments: replaces references by the values of the state.

use crate::call::{Parameter, ResolvedCall};
use crate::document::{Argument, Call, State};

/// Why an argument cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The state does not have the key.
    #[error("the state has no `{0}`")]
    Missing(String),
    /// Something that is no text stands where only a text can be joined or compared.
    #[error("{0} stands where a text is needed")]
    NoText(&'static str),
}

/// A call with values of the state in place of references.
pub fn call(call: &Call, state: &State) -> Result<ResolvedCall, ResolveError> {
    let Call { service, action, parameters, account, token } = call;
    Ok(ResolvedCall {
        service: service.clone(),
        action: action.clone(),
        parameters: members(parameters, state)?,
        account: account.clone(),
        token: token.clone(),
    })
}

/// The text that an argument is. Numbers and booleans are texts as JSON has them.
pub fn text(argument: &Argument, state: &State) -> Result<String, ResolveError> {
    match argument {
        Argument::Text(text) => Ok(text.clone()),
        Argument::Reference { key } => state.get(key).cloned().ok_or_else(|| ResolveError::Missing(key.clone())),
        Argument::Concat { concat } => concat.iter().map(|part| text(part, state)).collect(),
        Argument::Number(number) => Ok(number.to_string()),
        Argument::Bool(bool) => Ok(bool.to_string()),
        Argument::Null => Err(ResolveError::NoText("null")),
        Argument::List(_) => Err(ResolveError::NoText("a list")),
        Argument::Data { .. } | Argument::Object(_) => Err(ResolveError::NoText("an object")),
    }
}

fn parameter(argument: &Argument, state: &State) -> Result<Parameter, ResolveError> {
    match argument {
        Argument::List(entries) => {
            entries.iter().map(|entry| parameter(entry, state)).collect::<Result<_, _>>().map(Parameter::List)
        }
        Argument::Object(object) | Argument::Data { object } => members(object, state).map(Parameter::Object),
        Argument::Number(number) => Ok(Parameter::Number(number.clone())),
        Argument::Bool(bool) => Ok(Parameter::Bool(*bool)),
        Argument::Null => Ok(Parameter::Null),
        Argument::Text(_) | Argument::Reference { .. } | Argument::Concat { .. } => {
            text(argument, state).map(Parameter::Text)
        }
    }
}

fn members<'a>(
    arguments: impl IntoIterator<Item = (&'a String, &'a Argument)>,
    state: &State,
) -> Result<Vec<(String, Parameter)>, ResolveError> {
    arguments.into_iter().map(|(name, argument)| Ok((name.clone(), parameter(argument, state)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(arguments: &str) -> Result<Vec<(String, Parameter)>, ResolveError> {
        let state = State::from([("VPC".to_owned(), "vpc-1".to_owned())]);
        let document = format!(r#"{{"service":"vpc","action":"X","parameters":{arguments}}}"#);
        call(&serde_json::from_str(&document).unwrap(), &state).map(|call| call.parameters)
    }

    fn literal(text: &str) -> Parameter {
        Parameter::Text(text.to_owned())
    }

    #[test]
    fn references_are_replaced_wherever_they_stand() {
        let arguments =
            r#"{"a":{"ref":"VPC"},"b":{"concat":["x-",{"ref":"VPC"},"-y"]},"c":[{"Key":{"ref":"VPC"}},"z"]}"#;
        let object = Parameter::Object(vec![("Key".to_owned(), literal("vpc-1"))]);
        let expected = [
            ("a".to_owned(), literal("vpc-1")),
            ("b".to_owned(), literal("x-vpc-1-y")),
            ("c".to_owned(), Parameter::List(vec![object, literal("z")])),
        ];
        assert_eq!(resolved(arguments).unwrap(), expected);
    }

    #[test]
    fn numbers_booleans_and_null_stay_what_they_are() {
        let arguments = r#"{"a":1,"b":true,"c":null,"d":{"object":{"ref":{"ref":"VPC"}}},"e":{"concat":["x",2]}}"#;
        let expected = [
            ("a".to_owned(), Parameter::Number(1.into())),
            ("b".to_owned(), Parameter::Bool(true)),
            ("c".to_owned(), Parameter::Null),
            ("d".to_owned(), Parameter::Object(vec![("ref".to_owned(), literal("vpc-1"))])),
            ("e".to_owned(), literal("x2")),
        ];
        assert_eq!(resolved(arguments).unwrap(), expected);
    }

    #[test]
    fn a_missing_key_is_named() {
        let error = resolved(r#"{"a":[{"concat":["x",{"ref":"EIP"}]}]}"#).unwrap_err();
        assert_eq!(error.to_string(), "the state has no `EIP`");
    }

    #[test]
    fn lists_cannot_be_joined() {
        assert_eq!(resolved(r#"{"a":{"concat":[["x"]]}}"#), Err(ResolveError::NoText("a list")));
    }
}
