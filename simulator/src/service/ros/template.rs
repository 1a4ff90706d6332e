//! Templates of stacks, in JSON or YAML: parameters, resources of one type, outputs.
//!
//! Of the functions, `Ref` and `Fn::GetAtt` are known, in their long form.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use serde_saphyr::{Options, budget, from_str_with_options, options};

/// The one type of resource that is known.
const COPY_IMAGE: &str = "ALIYUN::ECS::CopyImage";
/// The one version of templates.
const VERSION: &str = "2015-09-01";

/// A template.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct Template {
    #[serde(rename = "ROSTemplateFormatVersion")]
    version: String,
    /// What it is for.
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    parameters: BTreeMap<String, Parameter>,
    resources: BTreeMap<String, Resource>,
    #[serde(default)]
    outputs: BTreeMap<String, Output>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Parameter {
    #[serde(rename = "Type")]
    kind: Kind,
    /// A default may be null, which is not the same as no default.
    #[serde(default, deserialize_with = "present")]
    default: Option<Value>,
    allowed_values: Option<Vec<Value>>,
    #[serde(rename = "Description")]
    _description: Option<Value>,
    #[serde(rename = "Label")]
    _label: Option<Value>,
}

fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

#[derive(Clone, Copy, Debug, Deserialize)]
enum Kind {
    String,
    Number,
    Boolean,
    Json,
    CommaDelimitedList,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Resource {
    #[serde(rename = "Type")]
    kind: String,
    #[serde(default)]
    properties: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Output {
    value: Value,
    description: Option<String>,
}

/// What values of a template may refer to.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Parameters, also those of the cloud.
    pub(super) parameters: BTreeMap<String, Value>,
    /// The attributes of resources, of which `ImageId` is what the resource itself stands for.
    pub(super) attributes: BTreeMap<String, BTreeMap<&'static str, String>>,
}

/// A copy of an image that a template asks for.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct Copy {
    pub(super) image_id: String,
    pub(super) destination_region_id: String,
    pub(super) source_region_id: Option<String>,
    pub(super) destination_image_name: Option<String>,
    pub(super) destination_description: Option<String>,
    pub(super) encrypted: Option<Flag>,
    #[serde(rename = "KMSKeyId")]
    pub(super) kms_key_id: Option<String>,
    pub(super) tag: Option<Vec<Tag>>,
}

/// A tag of a copy.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct Tag {
    pub(super) key: String,
    #[serde(default)]
    pub(super) value: String,
}

/// A truth value that may be written as text.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum Flag {
    /// As a truth value.
    Boolean(bool),
    /// As text.
    Text(Word),
}

/// A truth value in words.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) enum Word {
    #[serde(alias = "True")]
    #[serde(rename = "true")]
    True,
    #[serde(alias = "False")]
    #[serde(rename = "false")]
    False,
}

impl Flag {
    /// Which it is.
    pub(super) fn is(&self) -> bool {
        matches!(self, Self::Boolean(true) | Self::Text(Word::True))
    }
}

/// How YAML is read: a template is small and flat, and short forms of functions, being tags, are errors.
fn yaml() -> Options {
    let limits = budget! { max_depth: 32, max_nodes: 10_000, max_aliases: 0, max_anchors: 0, max_documents: 1 };
    options! { budget: limits, reject_unsupported_tags: true, with_snippet: false }
}

impl Template {
    /// Reads a template. The error says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let template: Self = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| error.to_string())?
        } else {
            let value: Value = from_str_with_options(text, yaml()).map_err(|error| error.to_string())?;
            serde_json::from_value(value).map_err(|error| error.to_string())?
        };
        if template.version != VERSION {
            return Err(format!("ROSTemplateFormatVersion must be {VERSION}"));
        }
        if template.resources.is_empty() {
            return Err("Resources is empty".to_owned());
        }
        Ok(template)
    }

    /// The values of its parameters, given or by default.
    pub(super) fn parameters(&self, given: &BTreeMap<&str, &str>) -> Result<BTreeMap<String, Value>, String> {
        if let Some(name) = given.keys().find(|name| !self.parameters.contains_key(**name)) {
            return Err(format!("The Parameter ({name}) was not defined in template."));
        }
        let value = |(name, parameter): (&String, &Parameter)| {
            let value = match (given.get(name.as_str()), &parameter.default) {
                (Some(text), _) => parameter
                    .kind
                    .read(text)
                    .ok_or_else(|| format!("The Parameter ({name}) is not of type {:?}.", parameter.kind))?,
                (None, Some(default)) => return Ok((name.clone(), default.clone())),
                (None, None) => return Err(format!("The Parameter ({name}) was not provided.")),
            };
            let same = |allowed: &Value| text(allowed) == text(&value);
            if parameter.allowed_values.as_ref().is_some_and(|allowed| !allowed.iter().any(same)) {
                return Err(format!("The Parameter ({name}) has a value that is not allowed."));
            }
            Ok((name.clone(), value))
        };
        self.parameters.iter().map(value).collect()
    }

    /// The copies of the template, by the names of its resources.
    pub(super) fn copies(&self, scope: &Scope) -> Result<Vec<(String, Copy)>, String> {
        let copy = |(name, resource): (&String, &Resource)| {
            if resource.kind != COPY_IMAGE {
                return Err(format!("The Resource Type ({}) could not be found.", resource.kind));
            }
            let properties = scope.evaluate(&Value::Object(resource.properties.clone()))?;
            let copy = serde_json::from_value(properties)
                .map_err(|error| format!("Property error: Resources.{name}.Properties: {error}"))?;
            Ok((name.clone(), copy))
        };
        self.resources.iter().map(copy).collect()
    }

    /// Its outputs: name, value and description.
    pub(super) fn outputs(&self, scope: &Scope) -> Result<Vec<(String, Value, Option<String>)>, String> {
        let output = |(name, output): (&String, &Output)| {
            Ok((name.clone(), scope.evaluate(&output.value)?, output.description.clone()))
        };
        self.outputs.iter().map(output).collect()
    }
}

impl Kind {
    fn read(self, text: &str) -> Option<Value> {
        match self {
            Self::String => Some(text.into()),
            Self::Number => text.parse::<serde_json::Number>().ok().map(Value::Number),
            Self::Boolean => {
                serde_json::from_value::<Word>(text.into()).ok().map(|word| (word == Word::True).into())
            }
            Self::Json => serde_json::from_str(text).ok(),
            Self::CommaDelimitedList => Some(text.split(',').collect()),
        }
    }
}

impl Scope {
    fn evaluate(&self, value: &Value) -> Result<Value, String> {
        match value {
            Value::Array(values) => values.iter().map(|value| self.evaluate(value)).collect(),
            Value::Object(map) => match map.iter().next() {
                Some((function, of)) if map.len() == 1 && (function == "Ref" || function.starts_with("Fn::")) => {
                    self.call(function, of)
                }
                _ => {
                    let evaluate = |(name, value): (&String, &Value)| Ok((name.clone(), self.evaluate(value)?));
                    map.iter().map(evaluate).collect::<Result<Map<_, _>, String>>().map(Value::Object)
                }
            },
            value => Ok(value.clone()),
        }
    }

    fn call(&self, function: &str, of: &Value) -> Result<Value, String> {
        let attribute = |resource: &str, name: &str| {
            let found = self.attributes.get(resource).and_then(|attributes| attributes.get(name));
            found
                .map(|value| Value::from(value.as_str()))
                .ok_or_else(|| format!("The Referenced Attribute ({resource} {name}) is incorrect."))
        };
        match (function, of) {
            ("Ref", Value::String(name)) => match self.parameters.get(name) {
                Some(value) => Ok(value.clone()),
                None => attribute(name, "ImageId"),
            },
            ("Fn::GetAtt", Value::Array(path)) => match path.as_slice() {
                [Value::String(resource), Value::String(name)] => attribute(resource, name),
                _ => Err("Arguments to \"Fn::GetAtt\" must be a resource and an attribute.".to_owned()),
            },
            _ => Err(format!("The function \"{function}\" is not supported.")),
        }
    }
}

/// A value as text, as parameters and outputs are shown; nothing for null.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        value => Some(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn copies(template: &Value, given: &[(&str, &str)]) -> Result<Vec<(String, Copy)>, String> {
        let template = Template::parse(&template.to_string())?;
        let parameters = template.parameters(&given.iter().copied().collect())?;
        template.copies(&Scope { parameters, ..Scope::default() })
    }

    fn template() -> Value {
        json!({
            "ROSTemplateFormatVersion": "2015-09-01",
            "Parameters": {
                "Image": { "Type": "String" },
                "Encrypted": { "Type": "Boolean", "Default": "True", "AllowedValues": ["true", "True"] },
                "Key": { "Type": "String", "Default": null },
                "Tags": { "Type": "Json", "Default": [] },
            },
            "Resources": { "Copy": { "Type": "ALIYUN::ECS::CopyImage", "Properties": {
                "ImageId": { "Ref": "Image" },
                "DestinationRegionId": "cn-beijing",
                "Encrypted": { "Ref": "Encrypted" },
                "KMSKeyId": { "Ref": "Key" },
                "Tag": { "Ref": "Tags" },
            }}},
        })
    }

    #[test]
    fn parameters_are_put_in() {
        let found = copies(&template(), &[("Image", "m-1")]).unwrap();
        let (name, copy) = &found[0];
        assert_eq!((name.as_str(), copy.image_id.as_str(), &copy.kms_key_id), ("Copy", "m-1", &None));
        assert!(copy.encrypted.as_ref().unwrap().is());
        let given = [("Image", "m-1"), ("Encrypted", "true"), ("Tags", r#"[{"Key":"k"}]"#)];
        let (_, copy) = copies(&template(), &given).unwrap().remove(0);
        assert!(copy.encrypted.unwrap().is());
        assert_eq!(copy.tag.unwrap(), [Tag { key: "k".to_owned(), value: String::new() }]);
    }

    #[test]
    fn yaml_says_the_same() {
        let text = "
            ROSTemplateFormatVersion: '2015-09-01'
            Parameters:
              Image:
                Type: String
                Description: >-
                  of two
                  lines
              Key: { Type: String, Default: null }
              Encrypted:
                Type: Boolean
                AllowedValues: ['True', 'true']
                Default: 'True'
            Resources:
              Copy:
                Type: 'ALIYUN::ECS::CopyImage'
                Properties:
                  ImageId:
                    Ref: Image
                  DestinationRegionId: cn-beijing
                  KMSKeyId:
                    Ref: Key
                  Encrypted:
                    Ref: Encrypted
        ";
        let template = Template::parse(text).unwrap();
        let parameters = template.parameters(&[("Image", "m-1")].into()).unwrap();
        let (_, copy) = template.copies(&Scope { parameters, ..Scope::default() }).unwrap().remove(0);
        assert_eq!((copy.image_id.as_str(), &copy.kms_key_id), ("m-1", &None));
        assert!(copy.encrypted.unwrap().is());
    }

    #[test]
    fn yaml_has_limits() {
        let deep = format!("Resources: {}", "[".repeat(100) + &"]".repeat(100));
        let many = format!("Resources: [{}]", "a,".repeat(20_000));
        for text in [
            &deep,
            &many,
            "Resources: &a [1]\nOutputs: *a",
            "Resources: 1\nResources: 2",
            "Resources: !Ref x",
            "a: 1\n---\nb: 2",
            "[",
            "text",
            "",
        ] {
            Template::parse(text).unwrap_err();
        }
    }

    #[test]
    fn what_is_wrong_with_a_template_is_said() {
        let change = |path: &str, value: Value| {
            let mut template = template();
            *template.pointer_mut(path).unwrap() = value;
            template
        };
        let image = &[("Image", "m-1")][..];
        let properties = "/Resources/Copy/Properties";
        for (template, given, part) in [
            (json!([]), image, "struct Template"),
            (change("/ROSTemplateFormatVersion", json!("2010-09-09")), image, "2015-09-01"),
            (change("/Resources", json!({})), image, "Resources is empty"),
            (change("/Resources/Copy/Type", json!("ALIYUN::ECS::VPC")), image, "ALIYUN::ECS::VPC"),
            (change(properties, json!({})), image, "missing field"),
            (change("/Resources/Copy", json!({ "Type": "x", "DependsOn": "y" })), image, "DependsOn"),
            (change("/Resources/Copy/Properties/ImageId", json!({ "Ref": "X" })), image, "(X ImageId)"),
            (change("/Resources/Copy/Properties/ImageId", json!({ "Fn::Join": [] })), image, "Fn::Join"),
            (change("/Resources/Copy/Properties/ImageId", json!({ "Fn::GetAtt": ["a"] })), image, "an attribute"),
            (template(), &[], "(Image) was not provided"),
            (template(), &[("Image", "m-1"), ("X", "y")], "(X) was not defined"),
            (template(), &[("Image", "m-1"), ("Encrypted", "false")], "not allowed"),
            (template(), &[("Image", "m-1"), ("Encrypted", "yes")], "not of type Boolean"),
        ] {
            let why = copies(&template, given).unwrap_err();
            assert!(why.contains(part), "{why} has no {part}");
        }
    }
}
