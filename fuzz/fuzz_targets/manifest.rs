//! Any bytes as YAML or JSON: reading never panics, and what was read is the same document when written as JSON
//! or YAML and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_policies::manifest::Document;
use trellis_policies::source::read;

fuzz_target!(|data: &[u8]| {
    let Ok((input, documents)) = read("fuzz.yaml", data) else { return };
    for document in &documents {
        let json = document.to_json();
        for text in [Some(json.clone()), document.to_yaml().ok()].into_iter().flatten() {
            // What is written may be longer than what may be read.
            if let Ok((_, again)) = read("again.yaml", text.as_bytes()) {
                assert_eq!(again.first().map(|document| document.to_json()), Some(json.clone()), "{text}");
            }
        }
        let _ = document.locate("/spec/provider/workers/0").highlight(&input);
    }
    let _ = Document::all_of(&input, documents);
});
