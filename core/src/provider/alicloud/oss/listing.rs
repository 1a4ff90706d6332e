//! Lists of objects and of unfinished uploads, a page at a time.

use super::bucket::{Answer, Bucket, WRONG_SHAPE, wrong};
use crate::call::Query;
use crate::document::Value;
use crate::gardener::planning::entry::{Entry, each_of};
use crate::gardener::planning::facts::Facts;

/// Most entries of a page, and most objects that one call deletes.
const MOST: &str = "1000";

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its key.
    pub key: String,
    /// When it was written.
    pub modified: String,
}

/// An upload that nobody has finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// The key of the object that it would become.
    pub key: String,
    /// Its id.
    pub id: String,
}

/// A page of a list.
#[derive(Debug)]
pub struct Part<T> {
    /// The entries.
    pub entries: Vec<T>,
    /// Where the next page begins; absent where this page is the last one.
    pub next: Option<String>,
}

/// A page of unfinished uploads.
pub type Uploads = Part<Upload>;

/// What distinguishes a list from others.
struct List {
    action: &'static str,
    /// The parameter that bounds a page.
    most: &'static str,
    root: &'static str,
    /// The member of the response that names the bucket.
    bucket: &'static str,
    /// Pointer to the entries.
    entries: &'static str,
    next: &'static str,
}

const OBJECTS: List = List {
    action: "ListObjects",
    most: "max-keys",
    root: "ListBucketResult",
    bucket: "Name",
    entries: "/ListBucketResult/Contents",
    next: "NextMarker",
};
const UPLOADS: List = List {
    action: "ListMultipartUploads",
    most: "max-uploads",
    root: "ListMultipartUploadsResult",
    bucket: "Bucket",
    entries: "/ListMultipartUploadsResult/Upload",
    next: "NextKeyMarker",
};

/// Objects whose keys begin with a prefix, from a marker on; where an account is given, they are its own. Nothing
/// where the bucket does not exist.
pub fn objects(
    bucket: &Bucket<'_>,
    (prefix, marker): (&str, &str),
    account: &str,
    facts: &mut Facts<'_>,
) -> Answer<Part<Object>> {
    let mut entries = Vec::new();
    let mut is_wrong = false;
    let page = read(&OBJECTS, bucket, (prefix, marker), facts, &mut |entry| {
        let object = Object { key: entry.id("Key").to_owned(), modified: entry.id("LastModified").to_owned() };
        let owner = entry.text(&["Owner", "ID"]);
        // The response to a call proves whose its objects are: what is not under the prefix, or is of another
        // account, is no answer.
        is_wrong |= !object.key.starts_with(prefix) || object.key.as_str() <= marker;
        is_wrong |= !account.is_empty() && !owner.is_empty() && owner != account;
        entries.push(object);
    });
    let (query, next) = match page {
        Answer::Unknown => return Answer::Unknown,
        Answer::Nothing => return Answer::Nothing,
        Answer::Found(page) => page,
    };
    if is_wrong {
        facts.fail(wrong(&query, "has objects that are not among those that were asked for"));
        return Answer::Unknown;
    }
    Answer::Found(Part { entries, next })
}

/// The first unfinished uploads of a bucket; none where nobody knows, or where the bucket does not exist.
pub fn uploads(bucket: &Bucket<'_>, facts: &mut Facts<'_>) -> Option<Uploads> {
    let mut entries = Vec::new();
    let page = read(&UPLOADS, bucket, ("", ""), facts, &mut |entry| {
        entries.push(Upload { key: entry.id("Key").to_owned(), id: entry.id("UploadId").to_owned() });
    });
    match page {
        Answer::Found((_, next)) => Some(Part { entries, next }),
        Answer::Unknown | Answer::Nothing => None,
    }
}

/// Reads a page, which says whose it is, what it was asked for, and where it ends: the query, and where the next page
/// begins.
fn read(
    list: &List,
    bucket: &Bucket<'_>,
    (prefix, marker): (&str, &str),
    facts: &mut Facts<'_>,
    each: &mut dyn FnMut(&Entry<'_>),
) -> Answer<(Query, Option<String>)> {
    let mut parameters = vec![(list.most, MOST.into()), ("encoding-type", "url".into())];
    for (name, value) in [("prefix", prefix), ("marker", marker)] {
        if !value.is_empty() {
            parameters.push((name, value.into()));
        }
    }
    let query = bucket.query(list.action, &parameters);
    let response = match bucket.response(&query, facts) {
        None => return Answer::Unknown,
        Some(Value::Null) => return Answer::Nothing,
        Some(response) => response,
    };
    let mut count = 0_usize;
    let read = each_of(&query, response, list.entries, &mut |entry| {
        count += 1;
        each(entry);
    });
    let page = Entry::new(response.get(list.root).unwrap_or(&Value::Null));
    let next = page.text(&[list.next]);
    let has_end = match page.text(&["IsTruncated"]) {
        "true" => !next.is_empty() && count > 0,
        is_truncated => is_truncated == "false",
    };
    let is_last = page.text(&["IsTruncated"]) == "false";
    let is_of_query = page.text(&[list.bucket]) == bucket.name
        && page.text(&["Prefix"]) == prefix
        && page.text(&["Marker"]) == marker;
    match read {
        Err(error) => facts.fail(error),
        Ok(()) if !has_end => facts.fail(wrong(&query, "does not say where the list ends")),
        Ok(()) if !is_of_query || !page.is_right() => facts.fail(wrong(&query, WRONG_SHAPE)),
        Ok(()) => return Answer::Found((query, (!is_last).then(|| next.to_owned()))),
    }
    Answer::Unknown
}
