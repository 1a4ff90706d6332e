use proptest::prelude::*;

use super::*;

/// Every pattern of the rules about texts, with texts that match and texts that do not.
#[rustfmt::skip]
const PATTERNS: &[(&str, &[&str], &[&str])] = &[
    // Alibaba Cloud
    (r"^[a-zA-Z][a-zA-Z0-9\.\-_:]+$", &["ab", "a1.-_:"], &["", "a", "1a", "aü", "a\n"]),
    // OpenStack
    (r"^[^{}\[\]\n]+$", &["a b", "\\", "ü^", "\r"], &["", "a{", "]", "[", "a\nb", "\n"]),
    // AWS
    (r"^[a-z0-9.-]+$", &["a.b-1"], &["", "A", "a_", "a\n"]),
    (r"^vpc-[a-z0-9]+$", &["vpc-1a"], &["", "vpc-", "vpc-A", "xvpc-1", "vpc-1 "]),
    (r"^eipalloc-[a-z0-9]+$", &["eipalloc-0"], &["eipalloc_0"]),
    (r"^snap-[a-z0-9]+$", &["snap-0"], &["snap-"]),
    (r"^[\w+=,.@-]+$", &["a_Z+=,.@-"], &["a b", "ä", "a/"]),
    (r"^arn:[\w +=,.@\-/:]+$", &["arn:a b/c:d-"], &["arn:", "arn;a", "arn:a\tb"]),
    (r"^[a-z0-9-]+$", &["eu-west-1a"], &["eu_west"]),
    (r"^[\w +\-=\.:/@]+$", &["a b+-=.:/@_"], &["a,b", "a\n", "a?"]),
    (r"^cr-[a-z0-9]+$", &["cr-1"], &["cr-_"]),
    (r"^arn:[\w-]+:resource-groups:[\w+=,.@\-\/:]+$", &["arn:aws-cn:resource-groups:a/b:c"], &["arn::resource-groups:a", "arn:aws:resource-groups:"]),
    (r"^subnet-[a-z0-9]+$", &["subnet-1"], &["subnet1"]),
    (r"^sg-[a-z0-9]+$", &["sg-1"], &["sg-é"]),
    (r"^[A-Z0-9]+$", &["AKIA1"], &["akia"]),
    (r"^[A-Za-z0-9/+=]+$", &["aB/+="], &["a-b"]),
    (r"^[a-z-]+-\d+$", &["eu-west-1", "---12"], &["-1a", "eu-west-", "1-1", "a1", "eu-west-٣"]),
    (
        r"^arn:aws[a-z0-9-]*:iam::\d{12}:role(/[\w+=,.@-]+)*/[\w+=,.@-]+$",
        &["arn:aws:iam::123456789012:role/a", "arn:aws-cn:iam::123456789012:role/a/b/c"],
        &["arn:aws:iam::12345678901:role/a", "arn:aws:iam::1234567890123:role/a", "arn:aws:iam::123456789012:role/a//b", "arn:aws:iam::123456789012:role", "arn:aws:iam::123456789012:role/"],
    ),
    // GCP
    (r"^[a-z]([-a-z0-9]*[a-z0-9])?$", &["a", "a1", "a-1", "ab"], &["", "1", "a-", "-a", "A"]),
    (r"^[a-z0-9\-]+$", &["a-1"], &["a_"]),
    (r"^[A-Za-z0-9\s]+$", &["Intel Haswell\t\r\n\u{c}"], &["a\u{b}", "a\u{a0}", "a-"]),
    (r"^[a-z0-9\-/]+$", &["a/b-"], &["a\\b"]),
    (r"^[a-zA-Z0-9\-_/]+$", &["a/B_-"], &["a.b"]),
    (
        r"^[a-zA-Z0-9\-_\.]+@[a-zA-Z0-9\-\.]+\.gserviceaccount\.com$",
        &["a@b.gserviceaccount.com", "a_.b@c.iam.gserviceaccount.com", "a@.gserviceaccount.com.gserviceaccount.com"],
        &["a@.gserviceaccount.com", "@b.gserviceaccount.com", "a@b.gserviceaccount_com", "a@b.gserviceaccount.com\n"],
    ),
    (r"^https:\/\/www\.googleapis\.com\/[a-z0-9\-\.\/_]+$", &["https://www.googleapis.com/auth/x.y_z"], &["http://www.googleapis.com/auth", "https://www.googleapis.com/", "https://wwwxgoogleapis.com/a"]),
    (r"^[a-z][a-z0-9\-]*[a-z0-9]$", &["ab", "a--1"], &["a", "a-", "1a"]),
    (r"^[a-f0-9]+$", &["0af"], &["0ag"]),
    (r"^[0-9]+$", &["019"], &["1a", "٣"]),
    // Azure
    (r"^Microsoft\.[A-Za-z0-9.]+$", &["Microsoft.Storage.Global"], &["Microsoft.", "MicrosoftxStorage", "microsoft.Storage"]),
    (r"^[A-Za-z0-9_().-]{1,89}[A-Za-z0-9_()-]$", &["ab", "a.b", "()"], &["", "a", "a.", "ä-"]),
    (r"^[A-Za-z0-9][\w.-]*[\w]$", &["ab", "a.-_"], &["a", "a-", "_a"]),
    (r"^[A-Za-z0-9][\w-]*$", &["a", "a_-"], &["", "_a", "a."]),
    (
        r"^https://[a-z0-9-]{3,24}\.blob\.core[^\s]+/[^\s]+$",
        &["https://abc.blob.core.windows.net/a", "https://abcdefghijklmnopqrstuvwx.blob.coreü/ä", "https://abc.blob.core///"],
        &["https://ab.blob.core.windows.net/a", "https://abcdefghijklmnopqrstuvwxy.blob.core.windows.net/a", "https://abc.blob.core.windows.net/", "https://abc.blob.core/a", "https://abc.blob.core.windows.net/a b"],
    ),
    (r"^[\w-]+:[\w-]+:[\w.-]+:[\w.-]+$", &["a:b:c.d:1.2"], &["a:b:c", "a:b:c:d:e", "a.:b:c:d"]),
    (r"^/SharedGalleries/[\w-]+/Images/[\w-]+/Versions/[\w.-]+$", &["/SharedGalleries/a/Images/b/Versions/1.2"], &["/SharedGalleries/a/Images/b/Versions/", "SharedGalleries/a/Images/b/Versions/1"]),
    (r"^/CommunityGalleries/[\w-]+/Images/[\w-]+/Versions/[\w.-]+$", &["/CommunityGalleries/a-b/Images/c_d/Versions/1"], &["/CommunityGalleries/a.b/Images/c/Versions/1"]),
    (
        r"^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$",
        &["01234567-89ab-cDEF-0123-456789abcdef"],
        &["0123456-89ab-cDEF-0123-456789abcdef", "01234567-89ab-cDEF-0123-456789abcdefa", "01234567-89ab-0123-456789abcdef", "0123456789abcDEF0123456789abcdef"],
    ),
];

#[test]
fn every_pattern_of_the_sheets_matches_what_it_should() {
    for (pattern, good, bad) in PATTERNS {
        for text in *good {
            assert!(matches_regex(text, pattern), "{pattern} refuses {text:?}");
        }
        for text in *bad {
            assert!(!matches_regex(text, pattern), "{pattern} takes {text:?}");
        }
    }
}

/// Patterns that operators may write, with texts in which they occur and texts in which they do not.
#[rustfmt::skip]
const SEARCHED: &[(&str, &[&str], &[&str])] = &[
    (
        r"^https://iamcredentials\.googleapis\.com/v1/projects/-/serviceAccounts/.+:generateAccessToken$",
        &["https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/sa@p.iam.gserviceaccount.com:generateAccessToken"],
        &["", "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/:generateAccessToken", "xhttps://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/sa:generateAccessToken", "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a\nb:generateAccessToken"],
    ),
    ("example[.]com", &["https://example.com/", "example.com"], &["example-com", ""]),
    ("^https://", &["https://x"], &["http://x", " https://x"]),
    (":x$", &["a:x"], &["a:x "]),
    (r"a.*(bc)+d?\d", &["xa\u{e4}bcbc1y", "abcd2"], &["a\nbc1", "abd1"]),
    ("", &["", "x"], &[]),
];

#[test]
fn a_pattern_of_an_operator_is_searched_for() {
    for (pattern, good, bad) in SEARCHED {
        let oracle = oracle(pattern);
        for (texts, expected) in [(good, true), (bad, false)] {
            for text in *texts {
                assert_eq!(finds(text, pattern), Some(expected), "{pattern} {text:?}");
                assert_eq!(oracle.is_match(text.as_bytes()), expected, "{pattern} {text:?}");
            }
        }
    }
}

#[test]
fn a_pattern_with_rare_parts_is_not_judged() {
    for pattern in [
        "a|b",
        "(?i)a",
        r"\bx",
        r"\pL",
        "[[:alpha:]]",
        "[^]]",
        "a+?",
        "a{2}",
        "^^a",
        "a$b",
        "(",
        ")",
        "*",
        "()",
        "ü",
        "a b",
        "((((a))))",
        r"a\",
        "[a",
    ] {
        assert_eq!(finds("a", pattern), None, "{pattern}");
    }
    assert_eq!(finds("a", &"a".repeat(513)), None);
}

#[test]
fn a_long_text_takes_no_longer_than_its_length() {
    let slashes = format!("https://abc.blob.core{} ", "/".repeat(300_000));
    assert!(!matches_regex(&slashes, r"^https://[a-z0-9-]{3,24}\.blob\.core[^\s]+/[^\s]+$"));
    let role = format!("arn:aws:iam::123456789012:role{}", "/a".repeat(300_000));
    assert!(matches_regex(&role, r"^arn:aws[a-z0-9-]*:iam::\d{12}:role(/[\w+=,.@-]+)*/[\w+=,.@-]+$"));
}

/// The pattern for another engine, whose `\s` has a vertical tab too.
fn oracle(pattern: &str) -> regex::bytes::Regex {
    regex::bytes::RegexBuilder::new(&pattern.replace(r"\s", r"[\t\n\x0c\r ]")).unicode(false).build().unwrap()
}

#[test]
fn the_table_is_what_another_engine_says() {
    for (pattern, good, bad) in PATTERNS {
        let oracle = oracle(pattern);
        assert!(good.iter().all(|text| oracle.is_match(text.as_bytes())), "{pattern}");
        assert!(!bad.iter().any(|text| oracle.is_match(text.as_bytes())), "{pattern}");
    }
}

proptest! {
    /// Texts near those of the table: a character or a run of characters more, less or another.
    #[test]
    fn another_engine_says_the_same_of_any_text(
        (pattern, good, bad) in proptest::sample::select(PATTERNS),
        pick in any::<proptest::sample::Index>(),
        (cut, many) in (any::<proptest::sample::Index>(), 0_usize..100),
        new in r"[a-zA-Z0-9äß٣ \t\n\-_./:@+=,(){}\[\]]{0,2}",
        drop in any::<bool>(),
    ) {
        let near: Vec<&str> = good.iter().chain(bad.iter()).copied().collect();
        let near = *pick.get(&near);
        let mut chars: Vec<char> = near.chars().collect();
        let place = cut.index(chars.len() + 1);
        if drop && place < chars.len() {
            chars.remove(place);
        }
        let place = place.min(chars.len());
        chars.splice(place..place, new.repeat(many).chars());
        let text: String = chars.into_iter().collect();
        prop_assert_eq!(matches_regex(&text, pattern), oracle(pattern).is_match(text.as_bytes()), "{} {:?}", pattern, text);
    }

    #[test]
    fn another_engine_finds_the_same(
        pattern in r"\^?[ab.]{0,2}(\([ab.]\)|\[[ab^]?[ab]\]|\\[dw.])?[*+?]?[ab]{0,2}\$?",
        text in "[ab1_ \n.^]{0,6}",
    ) {
        if let Some(found) = finds(&text, &pattern) {
            prop_assert_eq!(found, oracle(&pattern).is_match(text.as_bytes()), "{} {:?}", pattern, text);
        }
    }

    #[test]
    fn no_pattern_and_no_text_panics(pattern in r"[ab()\[\]\\*+?{},0-3^$-]{0,12}", text in ".{0,8}") {
        let _ = matches_regex(&text, &pattern);
    }
}
