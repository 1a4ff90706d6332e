//! What the tests of all signatures are written with.

use std::borrow::Cow;

use hyper::{HeaderMap, header::HeaderName};
use jiff::{SignedDuration, Timestamp};
use proptest::{collection::btree_map, prelude::*, sample::Index};

use super::{Claim, Pair, Refusal, Secret, VALIDITY};

pub fn secret() -> Secret {
    Secret::new("testsecret")
}

pub fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

pub fn pairs<'a>(pairs: &[(&'a str, &'a str)]) -> Vec<Pair<'a>> {
    pairs.iter().map(|(name, value)| (Cow::Borrowed(*name), Cow::Borrowed(*value))).collect()
}

pub fn headers(headers: &[(&str, &str)]) -> HeaderMap {
    let parsed = |(name, value): &(&str, &str)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
    headers.iter().map(parsed).collect()
}

/// What verifying says at the four edges of the time that a request is valid, around `time`.
pub fn edges(claim: &Claim<'_>, time: &str) -> [bool; 4] {
    let second = SignedDuration::from_secs(1);
    let (first, last) = (at(time) - VALIDITY, at(time) + VALIDITY);
    [first - second, first, last, last + second].map(|now| claim.verify(&secret(), now).is_ok())
}

/// Whether what was read of a request is that of the access key `testid`, and verified.
pub fn believed(claim: Result<Claim<'_>, Refusal>, now: &str) -> bool {
    claim.is_ok_and(|claim| claim.access_key == "testid" && claim.verify(&secret(), at(now)).is_ok())
}

/// Parameters of any text; none has a name of those that the cloud uses.
pub fn any_pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    btree_map("[a-z~*+ &=%é網.]{1,6}", "[ -~é網\u{0}\n]{0,8}", 0..5).prop_map(|pairs| pairs.into_iter().collect())
}

/// The text with one of its characters changed, or with one more when it has none.
pub fn changed(text: &str, place: Index) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    match characters.len() {
        0 => characters.push('a'),
        length => {
            let character = &mut characters[place.index(length)];
            *character = if *character == 'a' { 'b' } else { 'a' };
        }
    }
    characters.into_iter().collect()
}
