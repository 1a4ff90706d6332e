//! The crate `handlebars` as another reader of the templates: text first, which a YAML reader reads then.

use std::fmt::Write as _;

use ::handlebars::{Context, Handlebars, Helper, HelperResult, Output, RenderContext, RenderErrorReason};
use serde_json::Value;

/// What templates mean to the crate.
pub struct Oracle(Handlebars<'static>);

impl Oracle {
    /// An oracle without templates. A value that is missing is an error, and a text stays in its quotes.
    pub fn new() -> Self {
        let mut registry = Handlebars::new();
        registry.set_strict_mode(true);
        registry.register_escape_fn(escaped);
        registry.register_helper("toJson", Box::new(to_json));
        Self(registry)
    }

    /// Reads a template.
    pub fn read(&mut self, name: &str, template: &str) {
        self.0.register_template_string(name, template).unwrap_or_else(|error| panic!("{template}\n{error}"));
    }

    /// The object that a template makes.
    pub fn render(&self, name: &str, values: &Value) -> Result<Value, String> {
        let yaml = self.0.render(name, values).map_err(|error| error.to_string())?;
        serde_saphyr::from_str(&yaml).map_err(|error| format!("{error}\n{yaml}"))
    }

    /// The object that a template makes that is read for it alone.
    pub fn render_once(template: &str, values: &Value) -> Result<Value, String> {
        let mut oracle = Self::new();
        oracle.read("", template);
        oracle.render("", values)
    }
}

/// A text as it stands between double quotes of YAML.
fn escaped(text: &str) -> String {
    let json = Value::from(text).to_string();
    visible(json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap())
}

/// JSON as YAML: with escapes for what YAML takes for a line break, and for what it does not print.
fn visible(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for char in json.chars() {
        match char {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                write!(text, "\\u{:04x}", u32::from(char)).unwrap();
            }
            char => text.push(char),
        }
    }
    text
}

fn to_json(
    helper: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    output: &mut dyn Output,
) -> HelperResult {
    let value = helper.param(0).filter(|value| !value.is_value_missing());
    let value = value.ok_or(RenderErrorReason::ParamNotFoundForIndex("toJson", 0))?;
    output.write(&visible(&value.value().to_string()))?;
    Ok(())
}
