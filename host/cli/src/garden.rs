//! What a command line says of the garden.

use std::path::{Path, PathBuf};

use clap::Args;

use super::CommandError;
use trellis_policies::file;
use trellis_policies::garden::{FieldNames, Garden};

/// Most bytes of an OpenAPI document. That of a garden has some 5 MiB.
const MAX_BYTES: u64 = 64 << 20;

#[derive(Args, Debug)]
pub(super) struct GardenArguments {
    /// The garden's OpenAPI document: a field that it lacks is an error.
    ///
    /// Version 3 of Gardener's API, as `kubectl get --raw /openapi/v3/apis/core.gardener.cloud/v1beta1` prints it,
    /// or version 2. Without it, a field that Trellis does not know is an error where it can only be misspelt, or
    /// where Gardener removed it; else it is a warning, because the garden may be newer.
    #[arg(long, value_name = "FILE")]
    openapi: Option<PathBuf>,

    /// The version of the garden's Gardener, such as `1.147`: its rules, fields and defaults count, and an unknown
    /// field is an error.
    ///
    /// Trellis knows 1.143 to 1.150. An older version is judged as 1.143, a newer one as 1.150 (an unknown field
    /// is a warning then), and the last line says so. Without it, 1.150 counts, and a finding that an older
    /// version would not have says which one brought it.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    gardener_version: Option<String>,
}

impl GardenArguments {
    /// Reads what is named.
    pub(super) fn read(&self) -> Result<Garden, CommandError> {
        let fields = self.openapi.as_deref().map(fields).transpose()?;
        Ok(Garden { version: self.gardener_version.clone(), fields })
    }
}

fn fields(path: &Path) -> Result<FieldNames, CommandError> {
    let name = path.display().to_string();
    let document =
        file::read(path, MAX_BYTES).map_err(|error| CommandError::File { name: name.clone(), error })?;
    FieldNames::read(&document).map_err(|error| CommandError::OpenApi { name, error })
}

/// Two or three numbers, such as `1.147` and `1.147.2`; people write `v` before them.
fn version(text: &str) -> Result<String, String> {
    let version = text.strip_prefix('v').unwrap_or(text);
    let release = version.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<&str> = release.split('.').collect();
    let is_number =
        |number: &&str| matches!(number.len(), 1..=4) && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_version =
        matches!(numbers.len(), 2 | 3) && numbers.first() == Some(&"1") && numbers.iter().all(is_number);
    if is_version {
        Ok(version.to_owned())
    } else {
        Err("write a version such as `1.147` or `1.147.2`".to_owned())
    }
}
