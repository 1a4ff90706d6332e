//! The XML of requests, as parameters, and of answers.

use std::collections::BTreeMap;
use std::io;

use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::{Reader, Writer};
use serde_json::{Map, Value};

use super::place::{Place, place};
use crate::action::{Action, CloudError, Field, Form, Parameter, Shape};
use crate::service::oss::KEPT;
use crate::service::oss::errors::{ENTITY_TOO_LARGE, MALFORMED_XML, NOT_IMPLEMENTED};

/// The largest XML of a request, in bytes: a thousand objects with the longest keys.
pub const LARGEST: usize = 4 << 20;
/// Deepest nesting of elements.
const DEEPEST: usize = 8;
/// Most elements: ten thousand parts with number and digest.
const MOST: usize = 40_000;

/// An element.
#[derive(Debug, Default)]
struct Element {
    name: String,
    text: String,
    children: Vec<Element>,
}

/// Reads XML with a root as the parameters that an action declares.
pub(super) fn parameters(body: &[u8], root: &str, action: &Action) -> Result<Vec<(String, String)>, CloudError> {
    if body.is_empty() {
        return Ok(Vec::new());
    }
    if body.len() > LARGEST {
        return Err(ENTITY_TOO_LARGE.because("The XML has more than 4194304 bytes."));
    }
    let element = tree(body)?;
    if element.name != root {
        return Err(malformed(&format!("The root element is {}, not {root}.", element.name)));
    }
    let mut pairs = Vec::new();
    let path = Path { prefix: String::new(), within: String::new(), plain: String::new() };
    flatten(&element, action.parameters, action, &path, &mut pairs)?;
    Ok(pairs)
}

fn malformed(why: &str) -> CloudError {
    MALFORMED_XML.because(format!("{} {why}", MALFORMED_XML.message))
}

fn tree(body: &[u8]) -> Result<Element, CloudError> {
    let text = std::str::from_utf8(body).map_err(|_| malformed("It is not UTF-8."))?;
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut open = vec![Element::default()];
    let mut count = 0;
    loop {
        let event = reader.read_event().map_err(|error| malformed(&format!("{error}.")))?;
        if matches!(event, Event::Start(_) | Event::Empty(_)) {
            count += 1;
            if count > MOST || open.len() > DEEPEST {
                return Err(malformed("It has too many elements, or too many in each other."));
            }
        }
        match event {
            Event::Start(start) => {
                let name = start.local_name().as_ref().to_owned();
                open.push(Element { name, ..Element::default() });
            }
            Event::Empty(start) => {
                let name = start.local_name().as_ref().to_owned();
                if let Some(parent) = open.last_mut() {
                    parent.children.push(Element { name, ..Element::default() });
                }
            }
            Event::End(_) => {
                if let (Some(done), Some(parent)) = (open.pop(), open.last_mut()) {
                    parent.children.push(done);
                }
            }
            Event::Text(text) => write(&mut open, &text.xml10_content()),
            Event::CData(text) => write(&mut open, &text.xml10_content()),
            Event::GeneralRef(reference) => {
                let char = match &*reference {
                    "lt" => Some('<'),
                    "gt" => Some('>'),
                    "amp" => Some('&'),
                    "quot" => Some('"'),
                    "apos" => Some('\''),
                    _ => reference.resolve_char_ref().ok().flatten(),
                };
                let char = char.ok_or_else(|| malformed("It has an unknown entity."))?;
                write(&mut open, char.encode_utf8(&mut [0; 4]));
            }
            Event::DocType(_) => return Err(malformed("It has a document type.")),
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => break,
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(document), true) if document.text.trim().is_empty() => {
            let mut roots = document.children.into_iter();
            match (roots.next(), roots.next()) {
                (Some(root), None) => Ok(root),
                _ => Err(malformed("It has not one root element.")),
            }
        }
        _ => Err(malformed("It is not complete.")),
    }
}

fn write(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

/// A place in the XML.
struct Path {
    /// The prefix of its parameters' names: `Rule.1.`
    prefix: String,
    /// The prefix of these names in the declaration: `Expiration.`
    within: String,
    /// The elements, without numbers: `Rule.Expiration.`
    plain: String,
}

impl Path {
    /// The name of the parameter that holds what is kept.
    fn kept(&self) -> String {
        format!("{}{KEPT}", self.prefix)
    }
}

fn flatten(
    element: &Element,
    declared: &'static [Parameter],
    action: &Action,
    path: &Path,
    pairs: &mut Vec<(String, String)>,
) -> Result<(), CloudError> {
    if !element.text.trim().is_empty() {
        return Err(malformed(&format!("{} has text.", element.name)));
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for child in &element.children {
        let name = format!("{}{}", path.within, child.name);
        let plain = format!("{}{}", path.plain, child.name);
        let before = counts.entry(&*child.name).or_insert(0);
        *before += 1;
        let count = *before;
        let once = || match count {
            1 => Ok(()),
            _ => Err(malformed(&format!("{plain} is there more than once."))),
        };
        let parameter = declared.iter().find(|known| known.name == name && place(known.name) == Place::Xml);
        match parameter.map(|parameter| parameter.form) {
            Some(Form::Records { of, .. }) => {
                let before = pairs.len();
                let path = Path {
                    prefix: format!("{}{name}.{count}.", path.prefix),
                    within: String::new(),
                    plain: format!("{plain}."),
                };
                flatten(child, of, action, &path, pairs)?;
                if pairs.len() == before {
                    return Err(malformed(&format!("{plain} is empty.")));
                }
            }
            Some(_) => {
                once()?;
                if !child.children.is_empty() {
                    return Err(malformed(&format!("{plain} has elements.")));
                }
                pairs.push((format!("{}{name}", path.prefix), child.text.clone()));
            }
            None if declared
                .iter()
                .any(|known| known.name.strip_prefix(&name).is_some_and(|rest| rest.starts_with('.'))) =>
            {
                once()?;
                let path =
                    Path { prefix: path.prefix.clone(), within: format!("{name}."), plain: format!("{plain}.") };
                let mut inner = Vec::new();
                flatten(child, declared, action, &path, &mut inner)?;
                // An element of which something is kept is kept as a whole.
                if inner.iter().any(|(name, _)| *name == path.kept()) {
                    keep(child, path.kept(), pairs)?;
                } else {
                    pairs.append(&mut inner);
                }
            }
            None if action.left_out.contains(&plain.as_str()) && keeps(declared) => {
                keep(child, path.kept(), pairs)?;
            }
            None if action.left_out.contains(&plain.as_str()) => {
                return Err(NOT_IMPLEMENTED.because(format!("{plain} is not implemented here.")));
            }
            None => return Err(malformed(&format!("{plain} is unknown."))),
        }
    }
    Ok(())
}

/// Whether elements that are left out are kept.
fn keeps(declared: &[Parameter]) -> bool {
    declared.iter().any(|parameter| parameter.name == KEPT)
}

/// Adds an element to those that are kept.
fn keep(element: &Element, name: String, pairs: &mut Vec<(String, String)>) -> Result<(), CloudError> {
    let mut writer = Writer::new(Vec::new());
    write_again(&mut writer, element).map_err(|error| malformed(&format!("{error}.")))?;
    let text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    match pairs.iter_mut().find(|(known, _)| *known == name) {
        Some((_, before)) => before.push_str(&text),
        None => pairs.push((name, text)),
    }
    Ok(())
}

fn write_again(writer: &mut Writer<Vec<u8>>, element: &Element) -> io::Result<()> {
    if element.children.is_empty() {
        return text(writer, &element.name, &element.text);
    }
    let inner =
        |writer: &mut Writer<Vec<u8>>| element.children.iter().try_for_each(|child| write_again(writer, child));
    writer.create_element(&element.name).write_inner_content(inner).map(drop)
}

/// Writes a value with a root, its elements in the order of their declaration.
pub(super) fn document(root: &str, fields: &'static [Field], value: &Map<String, Value>) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new(Vec::new());
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    record(&mut writer, root, fields, value)?;
    Ok(writer.into_inner())
}

fn record(
    writer: &mut Writer<Vec<u8>>,
    name: &str,
    fields: &'static [Field],
    value: &Map<String, Value>,
) -> io::Result<()> {
    let inner = |writer: &mut Writer<Vec<u8>>| {
        let present = fields.iter().filter_map(|field| Some((field, value.get(field.name)?)));
        present.into_iter().try_for_each(|(field, value)| element(writer, field.name, field.shape, value))
    };
    writer.create_element(name).write_inner_content(inner).map(drop)
}

fn element(writer: &mut Writer<Vec<u8>>, name: &str, shape: Shape, value: &Value) -> io::Result<()> {
    match (shape, value) {
        (Shape::Items(of), Value::Array(values)) => {
            values.iter().try_for_each(|value| element(writer, name, *of, value))
        }
        (Shape::Record(fields), Value::Object(value)) => record(writer, name, fields, value),
        (_, Value::String(value)) if name == KEPT => {
            writer.write_event(Event::Text(BytesText::from_escaped(value)))
        }
        (_, Value::String(value)) => text(writer, name, value),
        (_, value) => text(writer, name, &value.to_string()),
    }
}

/// A named element with text; without a name, the text of the element that it is in.
pub(super) fn text(writer: &mut Writer<Vec<u8>>, name: &str, text: &str) -> io::Result<()> {
    // XML 1.0 has no way to write these; a client with such names asks for another encoding of them.
    let text = text.replace(
        |char| matches!(char, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}'..='\u{ffff}'),
        "\u{fffd}",
    );
    let text = BytesText::new(&text);
    if name.is_empty() {
        writer.write_event(Event::Text(text))
    } else {
        writer.create_element(name).write_text_content(text).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::service::oss::SERVICE;

    fn read(action: &str, root: &str, body: &str) -> Result<String, &'static str> {
        let pairs = parameters(body.as_bytes(), root, SERVICE.action(action).unwrap());
        let pairs = pairs.map_err(|error| error.error.code)?;
        Ok(pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn elements_are_parameters() {
        for (action, root, body, expected) in [
            ("PutBucket", "CreateBucketConfiguration", "", ""),
            (
                "PutBucket",
                "CreateBucketConfiguration",
                "<?xml version=\"1.0\"?><CreateBucketConfiguration xmlns=\"x\"><StorageClass>IA</StorageClass>\
                 </CreateBucketConfiguration>",
                "StorageClass=IA",
            ),
            (
                "PutBucketLifecycle",
                "LifecycleConfiguration",
                "<LifecycleConfiguration>\n <Rule><Status>Enabled</Status><Tag><Key>k</Key><Value>v</Value></Tag>\
                 <Expiration><Days>4</Days></Expiration></Rule> <Rule><Prefix/><Status>Disabled</Status></Rule>\
                 </LifecycleConfiguration>",
                "Rule.1.Status=Enabled Rule.1.Tag.1.Key=k Rule.1.Tag.1.Value=v Rule.1.Expiration.Days=4 \
                 Rule.2.Prefix= Rule.2.Status=Disabled",
            ),
            (
                "PutBucketLifecycle",
                "LifecycleConfiguration",
                "<LifecycleConfiguration><Rule><Status>Enabled</Status><Transition><Days>1</Days></Transition>\
                 <Expiration><Days>1</Days><Date>&lt;</Date></Expiration> <Transition> <Days>2</Days> </Transition>\
                 <Filter/></Rule></LifecycleConfiguration>",
                "Rule.1.Status=Enabled Rule.1.*=<Transition><Days>1</Days></Transition>\
                 <Expiration><Days>1</Days><Date>&lt;</Date></Expiration><Transition><Days>2</Days></Transition>\
                 <Filter></Filter>",
            ),
            (
                "DeleteMultipleObjects",
                "Delete",
                "\u{feff}<Delete><Object><Key> a&amp;&#x4e2d;<![CDATA[<]]> </Key></Object></Delete>",
                "Object.1.Key= a&\u{4e2d}< ",
            ),
        ] {
            assert_eq!(read(action, root, body).as_deref(), Ok(expected), "{body}");
        }
    }

    #[test]
    fn what_is_no_such_xml_is_refused() {
        let deep = format!("{}{}", "<Delete>".repeat(20), "</Delete>".repeat(20));
        let many = format!("<Delete>{}</Delete>", "<Quiet/>".repeat(MOST));
        for body in [
            "Delete",
            "<Delete>",
            "<Delete></Deleted>",
            "<Remove/>",
            "<Delete/><Delete/>",
            "<Delete/>text",
            "<Delete>text</Delete>",
            "<Delete><Colour>red</Colour></Delete>",
            "<Delete><bucket>other</bucket></Delete>",
            "<Delete><Content-MD5>x</Content-MD5></Delete>",
            "<Delete><Quiet>true</Quiet><Quiet>true</Quiet></Delete>",
            "<Delete><Quiet><Key>a</Key></Quiet></Delete>",
            "<Delete><Object/></Delete>",
            "<Delete><Quiet>&unknown;</Quiet></Delete>",
            "<!DOCTYPE Delete><Delete/>",
            "\0",
            &deep,
            &many,
        ] {
            assert_eq!(read("DeleteMultipleObjects", "Delete", body), Err("MalformedXML"), "{body:.60}");
        }
        for rule in [
            "<Colour/>",
            "<Transitions/>",
            "<Expiration><Date/><Colour/></Expiration>",
            "<Expiration><Filter/></Expiration>",
        ] {
            let body = format!("<LifecycleConfiguration><Rule>{rule}</Rule></LifecycleConfiguration>");
            assert_eq!(read("PutBucketLifecycle", "LifecycleConfiguration", &body), Err("MalformedXML"), "{rule}");
        }
        let left_out = "<Delete><Object><Key>a</Key><VersionId>1</VersionId></Object></Delete>";
        assert_eq!(read("DeleteMultipleObjects", "Delete", left_out), Err("NotImplemented"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parameters(&body, "Delete", SERVICE.action("DeleteMultipleObjects").unwrap());
        }
    }
}
