//! Names of secret values.

/// The text in place of a secret.
pub(super) const HIDDEN: &str = "(secret)";

/// Whether a parameter or a field of this name is secret.
pub(super) fn is_secret(name: &str) -> bool {
    let last = name.rsplit('.').find(|part| part.parse::<u32>().is_err()).unwrap_or(name);
    if matches!(last, "ClientToken" | "NextToken") {
        return false;
    }
    let last = last.to_ascii_lowercase();
    ["password", "passwd", "secret", "token", "privatekey", "userdata", "signature"]
        .iter()
        .any(|word| last.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names() {
        for name in ["Password", "AccessKeySecret", "SecurityToken", "Parameters.1.PrivateKey", "UserData"] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["VpcName", "ClientToken", "NextToken", "AccessKeyId", "Tag.1.Value", "KeyPairName"] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
