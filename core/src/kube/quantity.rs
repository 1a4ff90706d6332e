//! Quantities of bytes, such as `50Gi`.

/// Bytes in one GiB.
pub const GIB: u128 = 1 << 30;

/// The number of bytes that a quantity names, rounded up; `None` where the text is no quantity of at most
/// 2^127 bytes. Source: the notation of Kubernetes resource quantities.
pub fn bytes(text: &str) -> Option<u128> {
    let end = text.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(text.len());
    let (number, suffix) = (text.get(..end)?, text.get(end..)?);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    let factor: u128 = match suffix {
        "" => 1,
        "k" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        "P" => 1_000_000_000_000_000,
        "Ki" => 1 << 10,
        "Mi" => 1 << 20,
        "Gi" => GIB,
        "Ti" => 1 << 40,
        "Pi" => 1 << 50,
        _ => return None,
    };
    let digits: u128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = 10_u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    Some(digits.checked_mul(factor)?.div_ceil(scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_with_their_suffix() {
        for (text, expected) in [
            ("20Gi", Some(20 * GIB)),
            ("1.5Gi", Some(GIB * 3 / 2)),
            ("20G", Some(20_000_000_000)),
            ("0", Some(0)),
            (".5k", Some(500)),
            ("", None),
            ("Gi", None),
            ("20gb", None),
            ("-1Gi", None),
            ("99999999999999999999999999999999999999Pi", None),
        ] {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }
}
