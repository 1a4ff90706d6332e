//! Requests that nobody means well with, or that went wrong on their way: every engine gives the same clear
//! answer.

mod gardener;
mod mutations;
mod network;
mod rendering;
mod workers;

/// More than a policy reads, in bytes.
const TOO_LONG: usize = 10 << 20;
/// Deeper than a policy reads.
const TOO_DEEP: usize = 100_000;
/// More values than a policy reads.
const TOO_MANY: usize = 250_000;

/// A list of the same entry.
fn list(entry: &str, count: usize) -> String {
    format!("[{}]", vec![entry; count].join(","))
}

/// Members or entries by their number.
fn members(count: usize, entry: &dyn Fn(usize) -> String) -> String {
    (0..count).map(entry).collect::<Vec<_>>().join(",")
}

/// A list of entries by their number.
fn all(count: usize, entry: &dyn Fn(usize) -> String) -> String {
    format!("[{}]", members(count, entry))
}

/// The requests, with a name each.
pub fn requests() -> Vec<(&'static str, String)> {
    let mut requests = documents();
    requests.extend(network::requests());
    requests.extend(gardener::requests());
    requests.extend(rendering::requests());
    requests.extend(workers::requests());
    requests.extend(mutations::requests());
    requests
}

fn documents() -> Vec<(&'static str, String)> {
    let shoot = |members: &str| format!(r#"{{"object":{{"kind":"Shoot",{members}}}}}"#);
    let config = |config: &str| shoot(&format!(r#""spec":{{"provider":{{"infrastructureConfig":{config}}}}}"#));
    let values = all(16, &|value| format!(r#""{value:0100}""#));
    let definitions = all(64, &|name| format!(r#"{{"name":"c{name}","values":{values}}}"#));
    let mapping = |images: &str| {
        format!(
            r#"{{"apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1","kind":"CloudProfileConfig","machineImages":{images}}}"#
        )
    };
    let image = |versions: &str| format!(r#"[{{"name":"i","versions":{versions}}}]"#);
    let region = r#""regions":[{"name":"r","id":"m"}]"#;
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
        ("many flavors that stand for many values", {
            let flavors = list("{}", 120);
            let offered = all(500, &|v| format!(r#"{{"version":"{v}","capabilityFlavors":{flavors}}}"#));
            let mapped = list(&format!(r#"{{"capabilities":{{}},{region}}}"#), 4);
            let mapped = all(500, &|v| format!(r#"{{"version":"{v}","capabilityFlavors":{mapped}}}"#));
            let (offered, mapped) = (image(&offered), mapping(&image(&mapped)));
            format!(
                r#"{{"object":{{"kind":"CloudProfile","spec":{{"machineCapabilities":{definitions},"machineImages":{offered},"regions":[{{"name":"r"}}],"providerConfig":{mapped}}}}}}}"#
            )
        }),
        ("many flavors that a parent does not know", {
            let flavors = list("{}", 120);
            let offered = all(300, &|v| format!(r#"{{"version":"{v}","capabilityFlavors":{flavors}}}"#));
            let unknown = members(1_000, &|name| format!(r#""u{name}":[]"#));
            let mapped = format!(r#"[{{"capabilities":{{{unknown}}},{region}}}]"#);
            let mapped = all(50, &|v| format!(r#"{{"version":"{v}","capabilityFlavors":{mapped}}}"#));
            let (offered, mapped) = (image(&offered), mapping(&image(&mapped)));
            format!(
                r#"{{"object":{{"kind":"NamespacedCloudProfile","spec":{{"parent":{{"kind":"CloudProfile","name":"p"}},"machineImages":{offered},"providerConfig":{mapped}}}}},"context":{{"cloudProfile":{{"metadata":{{"name":"p"}},"spec":{{"machineCapabilities":{definitions}}}}}}}}}"#
            )
        }),
        ("many worker pools, machine types and flavors", {
            let workers = all(4_000, &|pool| {
                format!(
                    r#"{{"name":"w{pool}","machine":{{"type":"m{pool}","image":{{"name":"i","version":"1"}}}},"volume":{{}}}}"#
                )
            });
            let types = all(4_000, &|name| format!(r#"{{"name":"m{name}","capabilities":{{}}}}"#));
            let flavors = all(16, &|flavor| {
                let others = members(63, &|name| format!(r#""c{name}":{values}"#));
                format!(r#"{{"capabilities":{{{others},"c63":["{flavor:0100}"]}},{region}}}"#)
            });
            let mapped = mapping(&image(&format!(r#"[{{"version":"1","capabilityFlavors":{flavors}}}]"#)));
            format!(
                r#"{{"object":{{"kind":"Shoot","spec":{{"region":"r","secretBindingName":"s","networking":{{}},"provider":{{"workers":{workers}}}}}}},"context":{{"cloudProfile":{{"kind":"CloudProfile","spec":{{"machineCapabilities":{definitions},"machineTypes":{types},"providerConfig":{mapped}}}}}}}}}"#
            )
        }),
    ]
}
