//! Ids of queries.

use std::fmt::Write as _;

use super::steps::Parameters;
use crate::call::Argument;

/// The id of a query: the API, the action, where it is asked, such as a region, and the parameters by which it
/// chooses.
pub fn query_id(service: &str, action: &str, place: &str, parameters: &Parameters<'_>) -> String {
    let mut id = format!("{service}/{action}/{place}");
    for (name, parameter) in parameters {
        let _ = write!(id, "/{name}=");
        push(&mut id, &parameter.argument());
    }
    id
}

fn push(id: &mut String, argument: &Argument) {
    match argument {
        Argument::Text(text) => id.push_str(text),
        Argument::List(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                id.push_str(if index == 0 { "" } else { "," });
                push(id, entry);
            }
        }
        Argument::Object(members) => {
            for (index, (_, member)) in members.iter().enumerate() {
                id.push_str(if index == 0 { "" } else { "=" });
                push(id, member);
            }
        }
        Argument::Number(number) => drop(write!(id, "{number}")),
        Argument::Bool(bool) => drop(write!(id, "{bool}")),
        Argument::Null => id.push_str("null"),
        Argument::Data { object } => {
            for (name, member) in object.iter() {
                id.push_str(name);
                id.push('=');
                push(id, member);
            }
        }
        // A query has no references.
        Argument::Reference { .. } | Argument::Concat { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collections::NameMap;

    #[test]
    fn an_id_shows_all_arguments() {
        let tag = |key: &str| Argument::Object(NameMap::from([("Key", key.into()), ("Value", "1".into())]));
        let tags = Argument::List(vec![tag("x"), tag("y")]);
        let arguments = [("Id", "a".into()), ("Tag", (&tags).into())];
        assert_eq!(query_id("vpc", "List", "here", &arguments), "vpc/List/here/Id=a/Tag=x=1,y=1");
        assert_eq!(query_id("vpc", "List", "here", &[]), "vpc/List/here");
        let (size, labels) = (Argument::Number(5), Argument::data([("a", true.into())]));
        let arguments = [("Size", (&size).into()), ("Labels", (&labels).into())];
        assert_eq!(query_id("net", "List", "here", &arguments), "net/List/here/Size=5/Labels=a=true");
    }
}
