//! URLs, as Go's `net/url` reads a URL.

/// The parts of a URL that rules look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url<'t> {
    /// The scheme, in lower case; empty where there is none.
    pub scheme: String,
    /// Host and port; empty where there is none.
    pub host: &'t str,
    /// Whether a name of a user stands before the host, even an empty one.
    pub has_user: bool,
    /// What stands behind the question mark; empty where there is none.
    pub query: &'t str,
    /// What stands behind the hash; empty where there is none.
    pub fragment: &'t str,
}

impl<'t> Url<'t> {
    /// Reads a URL; none where Go refuses the text, or where Go of version 1.26 does: a host has a port alone
    /// behind its first colon.
    pub fn parse_strictly(text: &'t str) -> Option<Self> {
        let url = Self::parse(text)?;
        let (address, rest) = match url.host.rfind(']') {
            Some(end) if url.host.starts_with('[') => url.host.split_at_checked(end + 1)?,
            _ => ("", url.host),
        };
        let port = rest.split_once(':').map_or("", |(_, port)| port);
        let is_read = !address.is_empty() || port.bytes().all(|byte| byte.is_ascii_digit());
        is_read.then_some(url)
    }

    /// Reads a URL; none where Go refuses the text.
    pub fn parse(text: &'t str) -> Option<Self> {
        let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
        if text.bytes().any(|byte| byte.is_ascii_control()) || !is_escaped(fragment) {
            return None;
        }
        let (scheme, rest) = scheme(text)?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let url = Self { scheme: scheme.to_ascii_lowercase(), host: "", has_user: false, query, fragment };
        if !rest.starts_with('/') {
            // Behind a scheme, such a text is opaque. Without a scheme, a colon would look like the end of one.
            let first = rest.split('/').next().unwrap_or_default();
            let is_read = !scheme.is_empty() || !first.as_bytes().contains(&b':') && is_escaped(rest);
            return is_read.then_some(url);
        }
        let authority = rest.strip_prefix("//").filter(|_| !scheme.is_empty() || !rest.starts_with("///"));
        let Some(authority) = authority else { return is_escaped(rest).then_some(url) };
        let end = authority.find('/').unwrap_or(authority.len());
        let (authority, path) = authority.split_at_checked(end)?;
        let split = authority.rsplit_once('@');
        let (user, host) = split.unwrap_or(("", authority));
        let is_read = is_escaped(path) && is_user(user) && is_host(host);
        is_read.then_some(Self { host, has_user: split.is_some(), ..url })
    }
}

/// The scheme and the rest; none where nothing stands before the colon.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let is_part = |char: char| is_one_of(char, "+-.");
    match text.split_once(|char| !is_part(char)) {
        Some((scheme, rest)) if text.as_bytes().get(scheme.len()) == Some(&b':') => {
            if scheme.is_empty() {
                return None;
            }
            let begins = scheme.starts_with(|char: char| char.is_ascii_alphabetic());
            Some(if begins { (scheme, rest) } else { ("", text) })
        }
        _ => Some(("", text)),
    }
}

/// Whether two hexadecimal digits follow each `%`.
fn is_escaped(text: &str) -> bool {
    let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    text.split('%').skip(1).all(|rest| is_hex(rest.as_bytes().first()) && is_hex(rest.as_bytes().get(1)))
}

fn is_user(text: &str) -> bool {
    text.chars().all(|char| is_one_of(char, "-._:~!$&'()*+,;=%@")) && is_escaped(text)
}

/// Whether a character is a letter or digit of ASCII, or one of the others. `str::contains` would bring its search
/// for texts into the modules.
fn is_one_of(char: char, others: &str) -> bool {
    char.is_ascii_alphanumeric() || others.chars().any(|other| other == char)
}

/// Whether the text is a name or an address, with or without a port.
fn is_host(text: &str) -> bool {
    let colon = match (text.starts_with('['), text.rfind(']')) {
        (true, None) => return false,
        (true, Some(end)) => end + 1,
        (false, _) => text.rfind(':').unwrap_or(text.len()),
    };
    let Some((name, port)) = text.split_at_checked(colon) else { return false };
    let digits = port.strip_prefix(':');
    let is_port = port.is_empty() || digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let is_allowed = |char: char| !char.is_ascii() || is_one_of(char, "-_.~!$&'()*+,;=:[]<>\"%");
    // Of ASCII characters, only `%` itself may be escaped in a name.
    let is_high = |char: char| matches!(char, '8' | '9' | 'a'..='f' | 'A'..='F');
    let is_beyond_ascii = |rest: &str| rest.starts_with("25") || rest.starts_with(is_high);
    is_port && name.chars().all(is_allowed) && is_escaped(name) && name.split('%').skip(1).all(is_beyond_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_that_go_finds() {
        for (text, scheme, host) in [
            ("https://keystone.example.com:5000/v3", "https", "keystone.example.com:5000"),
            ("HTTPS://user:pass@host?x#y", "https", "host"),
            ("https://[::1]:443/", "https", "[::1]:443"),
            ("http://bücher.example/%41", "http", "bücher.example"),
            ("http://host:", "http", "host:"),
            ("keystone.example.com", "", ""),
            ("//host/path", "", "host"),
            ("///path", "", ""),
            ("https://", "https", ""),
            ("https:/path", "https", ""),
            ("mailto:a b", "mailto", ""),
            ("1a/b:c", "", ""),
            ("http://host/?%zz", "http", "host"),
            ("", "", ""),
        ] {
            let url = Url::parse(text).unwrap();
            assert_eq!((url.scheme.as_str(), url.host), (scheme, host), "{text}");
        }
    }

    #[test]
    fn user_query_and_fragment_are_found() {
        for (text, has_user, query, fragment) in [
            ("https://host", false, "", ""),
            ("https://host?#", false, "", ""),
            ("https://host/a@b", false, "", ""),
            ("https://@host?a?b#c#d", true, "a?b", "c#d"),
            ("mailto:a@b?x", false, "x", ""),
        ] {
            let url = Url::parse(text).unwrap();
            assert_eq!((url.has_user, url.query, url.fragment), (has_user, query, fragment), "{text}");
        }
    }

    #[test]
    fn texts_that_go_refuses_are_no_urls() {
        for text in [
            "https://host\n",
            "https://a b",
            "https://host/%zz",
            "https://host/%4",
            "https://host#%",
            "https://h%41st",
            "https://host:port/x",
            "https://[::1",
            "https://[::1]x",
            "https://us er@host",
            "https://ho{st",
            ":5000",
            "://host",
            "1a:b",
            "a b:c",
        ] {
            assert_eq!(Url::parse(text), None, "{text}");
        }
    }
}
