//! The image vector that a command line names.

use std::path::Path;

use serde_json::value::RawValue;

use super::error::{Place, RenderError};
use crate::CommandError;
use crate::input::Input;
use trellis_policies::cluster::raw;

/// The list of images in a file, as JSON text.
pub(super) fn read(file: &Path, input: &mut Input<'_, '_>) -> Result<Option<Box<RawValue>>, CommandError> {
    let (source, roots) = input.nodes(file)?;
    let list = match roots.as_slice() {
        [root] => root.get("images").filter(|images| images.as_sequence().is_some()),
        _ => None,
    };
    if let Some(images) = list {
        return Ok(raw(images.to_json()));
    }
    let span = roots.first().map(|root| root.locate("/images").highlight(&source));
    Err(RenderError::NoImages { place: Place::at(&source, span.unwrap_or_default()) }.into())
}
