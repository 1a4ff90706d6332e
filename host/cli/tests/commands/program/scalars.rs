//! What scalars mean to every reader of YAML: the table that the npm package's reader is checked by, too.

use std::error::Error;
use std::fs;
use std::path::Path;

use trellis_policies::source;

/// How a scalar is spelled behind `a: `, and its value as JSON text; nothing where it is refused.
type Row = (String, Option<String>);

#[test]
fn scalars_mean_what_the_shared_table_says() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scalars.json");
    let table: Vec<Row> = serde_json::from_str(&fs::read_to_string(file)?)?;
    assert!(table.len() > 100, "{}", table.len());
    for (spelling, expected) in table {
        let text = format!("a: {spelling}\n");
        let value = source::read("t.yaml", text.as_bytes())
            .ok()
            .map(|(_, documents)| documents.iter().map(source::Node::to_json).collect::<String>());
        assert_eq!(value, expected.map(|value| format!(r#"{{"a":{value}}}"#)), "{spelling}");
    }
    Ok(())
}
