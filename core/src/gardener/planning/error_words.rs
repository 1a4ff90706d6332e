//! What to say to the person about the error of a call.

use crate::policy::CallError;

/// Most bytes of the cloud's own words that a message has.
const MAX_WORDS: usize = 600;

/// Where a service begins to say what it signed itself.
const SIGNED: [&str; 2] = ["server string to sign", "server StringToSign"];

/// What the person should do, which may be nothing, and what the cloud said.
pub fn message_of(cloud: &str, advice: &str, error: &CallError<'_>) -> String {
    let CallError { service, action, .. } = error;
    let words = words(error.message);
    let said = match (error.code, words) {
        ("", "") => format!("status {}", error.http_status),
        ("", words) => words.to_owned(),
        (code, "") => format!("`{code}`"),
        (code, words) => format!("`{code}`: {words}"),
    };
    let space = if advice.is_empty() { "" } else { " " };
    if error.http_status == 0 {
        // No response came: these are the host's words.
        return format!("{advice}{space}{service}:{action} was not answered: {said}");
    }
    format!("{advice}{space}{cloud} answered {service}:{action} with {said}")
}

/// Whether a message of [`message_of`] says what the person should do.
pub fn has_advice(cloud: &str, message: &str, error: &CallError<'_>) -> bool {
    message != message_of(cloud, "", error)
}

/// The cloud's words, up to a limit, and without what the service says for programmers about signatures.
pub fn words(message: &str) -> &str {
    let end = SIGNED.iter().filter_map(|words| message.find(words)).min().unwrap_or(message.len());
    let start = message.get(..end).unwrap_or_default().trim();
    let end = (0..=start.len().min(MAX_WORDS)).rev().find(|end| start.is_char_boundary(*end)).unwrap_or_default();
    start.get(..end).unwrap_or_default()
}
