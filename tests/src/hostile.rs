//! Requests that nobody means well with, or that went wrong on their way: every engine gives the same clear answer.

/// More than a policy reads, in bytes.
const TOO_LONG: usize = 10 << 20;
/// Deeper than a policy reads.
const TOO_DEEP: usize = 100_000;
/// More values than a policy reads.
const TOO_MANY: usize = 250_000;

/// The requests, with a name each.
pub fn requests() -> Vec<(&'static str, String)> {
    let shoot = |members: &str| format!(r#"{{"object":{{"kind":"Shoot",{members}}}}}"#);
    let config = |config: &str| shoot(&format!(r#""spec":{{"provider":{{"infrastructureConfig":{config}}}}}"#));
    let list = |entry: &str, count: usize| format!("[{}]", vec![entry; count].join(","));
    vec![
        ("nothing", String::new()),
        ("blanks", " \t\r\n ".to_owned()),
        ("a byte order mark", "\u{feff}{}".to_owned()),
        ("null", "null".to_owned()),
        ("a list", "[]".to_owned()),
        ("a number", "-1.5e300".to_owned()),
        ("half a document", r#"{"object":{"kind":"Shoot","spec":{"#.to_owned()),
        ("two documents", "{} {}".to_owned()),
        ("a trailing comma", r#"{"object":{},}"#.to_owned()),
        ("a comment", r#"{"object":{} /* none */}"#.to_owned()),
        ("NaN", config(r#"{"networks":NaN}"#)),
        ("a NUL character", shoot("\"a\":\"\0\"")),
        ("an escaped NUL character", shoot(r#""a":"\u0000""#)),
        ("half of a surrogate pair", shoot(r#""a":"\ud800""#)),
        ("a surrogate pair", shoot(r#""region":"\ud83c\udf31","b":"🌱""#)),
        (
            "line separators and what is no character",
            shoot("\"region\":\"\u{2028}\u{2029}\u{fffd}\u{ffff}\u{10ffff}\""),
        ),
        ("an unknown escape", shoot(r#""a":"\x41""#)),
        ("duplicate keys", shoot(r#""kind":"Seed","spec":1,"spec":{"region":"a","region":"b"}"#)),
        ("duplicate keys in a configuration", config(r#"{"kind":"A","kind":"B","networks":{},"networks":[]}"#)),
        ("a number beyond all types", config(r#"{"networks":{"vpc":{"id":1e999999}}}"#)),
        ("a number of a million digits", config(&format!(r#"{{"networks":{}}}"#, "9".repeat(1 << 20)))),
        ("an object that is text", r#"{"object":"Shoot"}"#.to_owned()),
        ("facts that are none", r#"{"object":{"kind":"Shoot"},"facts":[{"query":1}]}"#.to_owned()),
        ("an unknown member", r#"{"object":{"kind":"Shoot"},"__proto__":{},"constructor":1}"#.to_owned()),
        ("a kind of another world", r#"{"object":{"apiVersion":"v1","kind":"Pod"}}"#.to_owned()),
        ("text of ten megabytes", shoot(&format!(r#""a":"{}""#, "x".repeat(TOO_LONG)))),
        ("text of four megabytes", config(&format!(r#"{{"networks":"{}"}}"#, "ü".repeat(2 << 20)))),
        ("lists in lists", "[".repeat(TOO_DEEP)),
        ("objects in objects", r#"{"object":"#.repeat(TOO_DEEP)),
        ("too many values", format!(r#"{{"object":{}}}"#, list(&list("0", 500), TOO_MANY / 500))),
        ("a list that is too long", config(&format!(r#"{{"networks":{{"zones":{}}}}}"#, list("{}", 5_000)))),
        (
            "as many zones as are judged",
            config(&format!(
                r#"{{"networks":{{"zones":{}}}}}"#,
                list(r#"{"name":"a","workers":"10.0.0.1/8"}"#, 4_000)
            )),
        ),
        (
            "as many workers as are judged",
            shoot(&format!(r#""spec":{{"provider":{{"workers":{}}}}}"#, list(r#"{"name":"a"}"#, 4_000))),
        ),
    ]
}
