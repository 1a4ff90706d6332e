//! The declaration of every action, for comparisons and documentation.

use serde_json::{Value, json};

use super::Answered;
use super::route::Input;
use crate::action::{Action, ErrorCode, Field, Form, Parameter, Place, Run, Service, Shape, common};
use crate::cloud::Cloud;
use crate::service::SERVICES;

pub(super) fn list(_: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    Ok(json!({ "services": all(&SERVICES, service), "commonErrors": all(common::ALL, |code| error(code)) }))
}

fn all<T>(items: &[T], write: impl Fn(&T) -> Value) -> Value {
    items.iter().map(write).collect()
}

fn service(service: &Service) -> Value {
    let actions: Value = service.actions().map(action).collect();
    json!({ "code": service.code, "name": service.name, "version": service.version, "actions": actions })
}

fn action(action: &Action) -> Value {
    let placed = |parameter: &Parameter| {
        let in_form = action.place(parameter.name) == Place::Form;
        let place = json!({ "in": if in_form { "form" } else { "query" } });
        let mut reported = self::parameter(parameter);
        json_patch::merge(&mut reported, &place);
        reported
    };
    json!({
        "name": action.name,
        "writes": matches!(action.run, Run::Write(_)),
        "parameters": all(action.parameters, placed),
        "leftOut": action.left_out,
        "answer": all(action.answer, field),
        "errors": all(action.errors, |code| error(code)),
        "states": action.states,
        "takes": action.takes.as_secs_f64(),
    })
}

fn parameter(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "required": parameter.required,
        "default": parameter.default,
        "form": form(&parameter.form),
    })
}

/// `{"kind", "must", …what it has}`; `must` is in words, as it follows "must be".
fn form(form: &Form) -> Value {
    let rule = form.describe();
    match form {
        Form::Text(_) => json!({ "kind": "text", "must": rule }),
        Form::Integer(least, most) => json!({ "kind": "integer", "must": rule, "least": least, "most": most }),
        Form::Boolean => json!({ "kind": "boolean", "must": rule }),
        Form::OneOf(words) => json!({ "kind": "oneOf", "must": rule, "words": words }),
        Form::Commas(most) => json!({ "kind": "commas", "must": rule, "most": most }),
        Form::Json(most) => json!({ "kind": "json", "must": rule, "most": most }),
        Form::List { most, of } => json!({ "kind": "list", "must": rule, "most": most, "of": self::form(of) }),
        Form::Records { most, of } => {
            json!({ "kind": "records", "must": rule, "most": most, "of": all(of, parameter) })
        }
    }
}

fn field(field: &Field) -> Value {
    json!({ "name": field.name, "shape": shape(field.shape) })
}

/// `{"kind": "items", "of": {"kind": "record", "of": […fields…]}}` and the like.
fn shape(shape: Shape) -> Value {
    let kind = shape.name();
    match shape {
        Shape::Items(of) => json!({ "kind": kind, "of": self::shape(*of) }),
        Shape::Record(fields) => json!({ "kind": kind, "of": all(fields, field) }),
        Shape::Text | Shape::Integer | Shape::Number | Shape::Boolean | Shape::Map => json!({ "kind": kind }),
    }
}

fn error(error: &ErrorCode) -> Value {
    json!({ "code": error.code, "status": error.status, "message": error.message })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Api;
    use super::*;

    #[test]
    fn every_action_is_reported_as_it_is_declared() {
        let listed = Api::new().get("actions");
        let services = listed["services"].as_array().unwrap();
        let count: usize = services.iter().map(|service| service["actions"].as_array().unwrap().len()).sum();
        assert_eq!(count, SERVICES.iter().map(|service| service.actions().count()).sum::<usize>());
        let of = |code: &str, name: &str| {
            let service = services.iter().find(|service| service["code"] == code).unwrap();
            service["actions"].as_array().unwrap().iter().find(|action| action["name"] == name).unwrap().clone()
        };
        let create = of("vpc", "CreateVpc");
        assert_eq!((&create["writes"], &create["takes"]), (&json!(true), &json!(3.0)));
        let parameters = create["parameters"].as_array().unwrap();
        let find = |name: &str| parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
        assert_eq!(
            (&find("RegionId")["required"], &find("RegionId")["form"]["kind"]),
            (&json!(true), &json!("text"))
        );
        assert_eq!(find("CidrBlock")["default"], "172.16.0.0/12");
        assert_eq!(find("CidrBlock")["in"], "query");
        assert_eq!(of("nlb", "DeleteLoadBalancer")["parameters"][0]["in"], "form");
        let tag = &find("Tag")["form"];
        assert_eq!(
            (&tag["kind"], &tag["most"], &tag["of"][0]["name"]),
            (&json!("records"), &json!(20), &json!("Key"))
        );
        assert!(create["errors"].as_array().unwrap().iter().any(|error| error["code"] == "QuotaExceeded.Vpc"));
        let describe = of("vpc", "DescribeVpcs");
        let answer = describe["answer"].as_array().unwrap();
        let vpcs = answer.iter().find(|field| field["name"] == "Vpcs").unwrap();
        assert_eq!(vpcs.pointer("/shape/of/0/shape/of/kind"), Some(&json!("record")));
        assert!(listed["commonErrors"].as_array().unwrap().iter().any(|error| error["code"] == "Throttling.User"));
    }
}
