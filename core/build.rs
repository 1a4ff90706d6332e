//! Compiles the templates and image vectors of `charts-templates` into constants, a file a provider.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The file that the folder of a provider has, and other folders have not.
const IMAGES: &str = "images.yaml";

fn main() -> Result<(), Box<dyn Error>> {
    let templates = Path::new(&env::var("CARGO_MANIFEST_DIR")?).with_file_name("charts-templates");
    let output = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={}", templates.display());
    for entry in fs::read_dir(&templates)? {
        let folder = entry?.path();
        let Some(provider) = folder.file_name().filter(|_| folder.join(IMAGES).exists()) else { continue };
        let bundles = trellis_templates::bundles(&folder)?;
        let images = trellis_templates::images(&folder.join(IMAGES))?;
        let code = trellis_templates::code(&bundles) + &trellis_templates::images_code(&images);
        fs::write(output.join(provider).with_extension("rs"), code)?;
    }
    Ok(())
}
