//! The size of a module, on disk and compressed for the download.

use anyhow::Context as _;

/// The size as compiled and after brotli at its highest quality, in KB of 1000 bytes.
pub(crate) fn report(module: &[u8]) -> anyhow::Result<String> {
    let mut travelling = Vec::new();
    let settings = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &*module, &mut travelling, &settings).context("brotli failed")?;
    Ok(format!("{} KB, {} KB with brotli", kilobytes(module.len()), kilobytes(travelling.len())))
}

/// In KB of 1000 bytes.
pub(crate) fn kilobytes(bytes: usize) -> String {
    format!("{}.{}", bytes / 1000, bytes % 1000 / 100)
}
