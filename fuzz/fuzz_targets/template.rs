//! Any text as a template: compiling answers with a tree, or with an error that names a line of the text; and the
//! code of a tree is written.
#![no_main]

use std::num::NonZero;

use libfuzzer_sys::fuzz_target;
use trellis_templates::{Bundle, code, compile};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match compile("fuzz.yaml.hbs", text) {
        Ok(template) => {
            let bundle = Bundle { name: "fuzz".to_owned(), templates: vec![template] };
            assert!(code(&[bundle]).starts_with("/// The templates of `fuzz`."));
        }
        Err(error) => {
            // YAML names the line behind the last one where something has no end.
            let lines = text.lines().count() + 1;
            assert!(NonZero::new(error.line).is_some_and(|line| line.get() <= lines.max(1)), "{error}");
            assert!(error.to_string().starts_with("fuzz.yaml.hbs:"));
        }
    }
});
