//! The actions that plans may call: how each is asked for, and what its answer has.
//!
//! Source: Alibaba Cloud, "Operations on buckets" and "Operations on objects" of OSS, and its SDKs.

use hyper::Method;

/// An action.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) name: &'static str,
    pub(super) method: Method,
    pub(super) target: Target,
    /// The name of the query, without a value, that distinguishes the action from others, if there is one.
    pub(super) subresource: &'static str,
    /// Parameters of the query without which the request would ask for something else.
    pub(super) required: &'static [&'static str],
    /// Further parameters of the query.
    pub(super) optional: &'static [&'static str],
    /// The root of the body, where there is one.
    pub(super) body: Option<&'static str>,
    pub(super) reply: Reply,
}

/// What an action is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Bucket,
    Object,
}

/// What the answer of a call that succeeds has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reply {
    /// Nothing.
    Nothing,
    /// A header, and nothing else.
    Header(&'static str),
    /// A document.
    Document(Document),
}

/// A document in an answer. Elements are named by the names that lead to them from the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Document {
    pub(super) root: &'static str,
    /// The element that names the bucket; empty where none does.
    pub(super) bucket: &'static str,
    /// What every whole answer has, and each entry of a list: texts that are not empty, and lists with entries.
    pub(super) needs: &'static [&'static str],
    pub(super) lists: &'static [&'static str],
    /// The end of a list in parts.
    pub(super) end: Option<End>,
}

/// The end of a list in parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Where the next part begins, if there is one.
    pub(super) next: &'static [&'static str],
    /// Parameters that the answer repeats, with its elements.
    pub(super) repeats: &'static [(&'static str, &'static str)],
    /// The keys of the entries, which begin with the prefix that was asked for.
    pub(super) keys: &'static str,
    /// Other elements that are percent-encoded, as keys are, where the call asks for that.
    pub(super) encoded: &'static [&'static str],
}

const BUCKET: Action = Action {
    name: "",
    method: Method::GET,
    target: Target::Bucket,
    subresource: "",
    required: &[],
    optional: &[],
    body: None,
    reply: Reply::Nothing,
};
const DOCUMENT: Document = Document { root: "", bucket: "", needs: &[], lists: &[], end: None };

pub(super) static ACTIONS: [Action; 16] = [
    Action { name: "PutBucket", method: Method::PUT, body: Some("CreateBucketConfiguration"), ..BUCKET },
    Action { name: "DeleteBucket", method: Method::DELETE, ..BUCKET },
    Action {
        name: "GetBucketInfo",
        subresource: "bucketInfo",
        reply: Reply::Document(Document {
            root: "BucketInfo",
            bucket: "Bucket/Name",
            needs: &["Bucket/Location", "Bucket/Owner/ID"],
            ..DOCUMENT
        }),
        ..BUCKET
    },
    Action {
        name: "PutBucketEncryption",
        method: Method::PUT,
        subresource: "encryption",
        body: Some("ServerSideEncryptionRule"),
        ..BUCKET
    },
    Action {
        name: "GetBucketLifecycle",
        subresource: "lifecycle",
        reply: Reply::Document(Document {
            root: "LifecycleConfiguration",
            // A bucket without rules is answered with an error.
            needs: &["Rule", "Rule/Status"],
            lists: &["Rule", "Rule/Tag", "Rule/Transition", "Rule/NoncurrentVersionTransition"],
            ..DOCUMENT
        }),
        ..BUCKET
    },
    Action {
        name: "PutBucketLifecycle",
        method: Method::PUT,
        subresource: "lifecycle",
        body: Some("LifecycleConfiguration"),
        ..BUCKET
    },
    Action {
        name: "GetBucketWorm",
        subresource: "worm",
        reply: Reply::Document(Document {
            root: "WormConfiguration",
            needs: &["WormId", "State", "RetentionPeriodInDays"],
            ..DOCUMENT
        }),
        ..BUCKET
    },
    Action {
        name: "InitiateBucketWorm",
        method: Method::POST,
        subresource: "worm",
        body: Some("InitiateWormConfiguration"),
        reply: Reply::Header("x-oss-worm-id"),
        ..BUCKET
    },
    Action { name: "CompleteBucketWorm", method: Method::POST, required: &["wormId"], ..BUCKET },
    Action {
        name: "ExtendBucketWorm",
        method: Method::POST,
        subresource: "wormExtend",
        required: &["wormId"],
        body: Some("ExtendWormConfiguration"),
        ..BUCKET
    },
    Action { name: "AbortBucketWorm", method: Method::DELETE, subresource: "worm", ..BUCKET },
    // Without the parameter `delimiter`: it folds objects, and a list of folded ones looks shorter than it is.
    Action {
        name: "ListObjects",
        optional: &["prefix", "marker", "max-keys", "encoding-type"],
        reply: Reply::Document(Document {
            root: "ListBucketResult",
            bucket: "Name",
            needs: &["Contents/Key", "Contents/LastModified"],
            lists: &["Contents"],
            end: Some(End {
                next: &["NextMarker"],
                repeats: &[("prefix", "Prefix"), ("marker", "Marker")],
                keys: "Contents/Key",
                encoded: &["Prefix", "Marker", "NextMarker"],
            }),
        }),
        ..BUCKET
    },
    // OSS leaves out objects that it may not delete, such as those under retention, without an error: listing again
    // shows what is left.
    Action {
        name: "DeleteMultipleObjects",
        method: Method::POST,
        subresource: "delete",
        body: Some("Delete"),
        reply: Reply::Document(Document {
            root: "DeleteResult",
            needs: &["Deleted/Key"],
            lists: &["Deleted", "Error"],
            ..DOCUMENT
        }),
        ..BUCKET
    },
    Action {
        name: "ListMultipartUploads",
        subresource: "uploads",
        optional: &["prefix", "key-marker", "upload-id-marker", "max-uploads", "encoding-type"],
        reply: Reply::Document(Document {
            root: "ListMultipartUploadsResult",
            bucket: "Bucket",
            needs: &["Upload/Key", "Upload/UploadId"],
            lists: &["Upload"],
            end: Some(End {
                next: &["NextKeyMarker", "NextUploadIdMarker"],
                repeats: &[("prefix", "Prefix"), ("key-marker", "KeyMarker")],
                keys: "Upload/Key",
                encoded: &["Prefix", "KeyMarker", "NextKeyMarker"],
            }),
        }),
        ..BUCKET
    },
    Action {
        name: "PutObjectTagging",
        method: Method::PUT,
        target: Target::Object,
        subresource: "tagging",
        body: Some("Tagging"),
        ..BUCKET
    },
    Action {
        name: "AbortMultipartUpload",
        method: Method::DELETE,
        target: Target::Object,
        required: &["uploadId"],
        ..BUCKET
    },
];

impl Action {
    /// The action of that name.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        ACTIONS.iter().find(|action| action.name == name)
    }

    /// The names of all actions, for people.
    pub(super) fn names() -> String {
        ACTIONS.iter().map(|action| action.name).collect::<Vec<_>>().join(", ")
    }
}
