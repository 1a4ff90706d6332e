//! Judges an object with a policy from a file, in the sandbox. `docs/host.md` shows this.

use std::path::Path;

use trellis_policies::engine::{Engine as _, Function};
use trellis_policies::sandbox::{Limits, Sandbox, default_cache};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sandbox = Sandbox::new(Limits::default(), default_cache().as_deref())?;
    sandbox.load(Path::new("target/release/policies"))?;
    let request = r#"{ "object": { "kind": "Shoot", "spec": { "provider": { "workers": [{}] } } } }"#;
    match sandbox.call("alicloud", Function::Validate, request) {
        Ok(answer) => println!("{answer}"), // JSON: the verdict, or what is wrong with the request
        Err(error) => eprintln!("{error}"), // the policy looped, broke off or wanted too much; the next call works
    }
    Ok(())
}
