//! Certificates in PEM, as Go reads them.

use super::base64;

/// Whether the first block of a text is a certificate. It checks only the outer structure of the certificate.
pub fn is_certificate(text: &str) -> bool {
    first_block(text).is_some_and(|(kind, data)| kind == "CERTIFICATE" && is_signed_structure(&data))
}

/// The kind and the data of the first block that can be read.
fn first_block(text: &str) -> Option<(&str, Vec<u8>)> {
    // The kind of the block, and its base64.
    let mut block: Option<(&str, String)> = None;
    for line in text.lines().map(|line| line.trim_end_matches([' ', '\t'])) {
        if let Some(kind) = marked(line, "-----BEGIN ") {
            block = Some((kind, String::new()));
        } else if line.starts_with("-----END ") {
            let read = block.take().filter(|(kind, _)| marked(line, "-----END ") == Some(*kind));
            if let Some((kind, data)) = read.and_then(|(kind, text)| Some((kind, base64::decode(&text)?))) {
                return Some((kind, data));
            }
        } else if let Some((_, text)) = &mut block
            && !(text.is_empty() && line.contains(':'))
        {
            // Lines with a colon before all others are headers.
            text.extend(line.chars().filter(|char| !matches!(char, ' ' | '\t')));
            text.push('\n');
        }
    }
    None
}

fn marked<'t>(line: &'t str, mark: &str) -> Option<&'t str> {
    line.strip_prefix(mark)?.strip_suffix("-----")
}

const SEQUENCE: u8 = 0x30;
const BIT_STRING: u8 = 0x03;

/// Whether data in DER is a sequence of what is signed, of an algorithm, and of a signature, and nothing else.
fn is_signed_structure(der: &[u8]) -> bool {
    let parts = element(der, SEQUENCE).filter(|(_, rest)| rest.is_empty()).and_then(|(inner, _)| {
        let (_, rest) = element(inner, SEQUENCE)?;
        let (_, rest) = element(rest, SEQUENCE)?;
        element(rest, BIT_STRING)
    });
    parts.is_some_and(|(_, rest)| rest.is_empty())
}

/// The content of the element with a tag that data in DER begins with, and what follows the element.
fn element(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let [first, length, rest @ ..] = der else { return None };
    if *first != tag {
        return None;
    }
    let (length, rest) = match *length {
        length @ 0..0x80 => (usize::from(length), rest),
        count => {
            let (bytes, rest) =
                rest.split_at_checked(usize::from(count & 0x7f)).filter(|(bytes, _)| bytes.len() <= 3)?;
            (bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
    };
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----
MIIBbDCCAROgAwIBAgIUFuXv6YXzgKdDqdYeRs5nSWhuf44wCgYIKoZIzj0EAwIw
DDEKMAgGA1UEAwwBdDAeFw0yNjExMjIyMjExMDhaFw0zNjExMTkyMjExMDhaMAwx
CjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT3+EQrP46Txzu8
YRWfhG/15DfBxk+DKZacI5Qy7LY3CtC1GLXBzBao1wxRfFssfMIte3WfrWLhGEz0
Ox8wkF36o1MwUTAdBgNVHQ4EFgQUVbJSYQmZNC/G6SWZKpY0Lxk3NEYwHwYDVR0j
BBgwFoAUVbJSYQmZNC/G6SWZKpY0Lxk3NEYwDwYDVR0TAQH/BAUwAwEB/zAKBggq
hkjOPQQDAgNHADBEAiBKPA1e/NCj6OWaPeBeV/kXfLkQko2lcQ3VKt0fu0kiXwIg
QVC3J+U4NhxK+euTSDRHVzQkp6KXEz9rDZJrX4hYBwE=
-----END CERTIFICATE-----
";

    #[test]
    fn the_first_block_that_can_be_read_is_the_certificate() {
        let begin = "-----BEGIN CERTIFICATE-----\n";
        let broken = format!("{begin}!\n-----END CERTIFICATE-----\n");
        for (name, text) in [
            ("alone", CERTIFICATE.to_owned()),
            ("after other words", format!("# our root\n{CERTIFICATE}")),
            ("twice", CERTIFICATE.repeat(2)),
            ("with carriage returns", CERTIFICATE.replace('\n', "\r\n")),
            ("with spaces", CERTIFICATE.replace('\n', "  \n").replace("MII", " M I I")),
            ("with a header", CERTIFICATE.replacen('\n', "\nname: t\n\n", 1)),
            ("without a line break at the end", CERTIFICATE.trim_end().to_owned()),
            ("after a block that nobody ends", format!("{begin}{CERTIFICATE}")),
            ("after a block that is no base64", format!("{broken}{CERTIFICATE}")),
        ] {
            assert!(is_certificate(&text), "{name}");
        }
    }

    #[test]
    fn other_texts_are_no_certificate() {
        let key = CERTIFICATE.replace("CERTIFICATE", "PRIVATE KEY");
        let short: String =
            CERTIFICATE.lines().filter(|line| !line.starts_with("YRW")).collect::<Vec<_>>().join("\n");
        for (name, text) in [
            ("nothing", String::new()),
            ("a word", "zz".to_owned()),
            ("no end", CERTIFICATE.replace("END", "FIN")),
            ("another end", CERTIFICATE.replace("END CERTIFICATE", "END KEY")),
            ("words after the end", CERTIFICATE.replace("-----\n", "----- x\n")),
            ("a marker that is not at the begin of its line", CERTIFICATE.replace("-----BEGIN", " -----BEGIN")),
            ("another kind", key.clone()),
            ("another kind before the certificate", key + CERTIFICATE),
            ("a part of a certificate", short),
            ("a header after an empty line", CERTIFICATE.replacen('\n', "\n\nname: t\n", 1)),
            ("no base64", CERTIFICATE.replace("MIIB", "MI=B")),
            ("no sequence", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----".to_owned()),
        ] {
            assert!(!is_certificate(&text), "{name}");
        }
    }
}
