//! Compiles the templates and image vectors of `charts-templates` into constants, a file a provider.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The providers that there are templates for.
const PROVIDERS: [&str; 1] = ["alicloud"];

fn main() -> Result<(), Box<dyn Error>> {
    let templates = Path::new(&env::var("CARGO_MANIFEST_DIR")?).with_file_name("charts-templates");
    let output = PathBuf::from(env::var("OUT_DIR")?);
    for provider in PROVIDERS {
        let folder = templates.join(provider);
        println!("cargo::rerun-if-changed={}", folder.display());
        let bundles = trellis_templates::bundles(&folder)?;
        let images = trellis_templates::images(&folder.join("images.yaml"))?;
        let code = trellis_templates::code(&bundles) + &trellis_templates::images_code(&images);
        fs::write(output.join(format!("{provider}.rs")), code)?;
    }
    Ok(())
}
