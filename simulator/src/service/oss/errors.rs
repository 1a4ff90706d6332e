//! The errors that several actions of OSS give.

use crate::action::ErrorCode;

/// The bucket is another account's, or in another region.
pub const ACCESS_DENIED: ErrorCode =
    ErrorCode::new(403, "AccessDenied", "You have no right to access this object because of bucket acl.");
/// There is no such bucket.
pub const NO_SUCH_BUCKET: ErrorCode = ErrorCode::new(404, "NoSuchBucket", "The specified bucket does not exist.");
/// There is no such object.
pub const NO_SUCH_KEY: ErrorCode = ErrorCode::new(404, "NoSuchKey", "The specified key does not exist.");
/// There is no such multipart upload.
pub const NO_SUCH_UPLOAD: ErrorCode = ErrorCode::new(
    404,
    "NoSuchUpload",
    "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or \
     completed.",
);
/// The name of a bucket is wrong.
pub const INVALID_BUCKET_NAME: ErrorCode =
    ErrorCode::new(400, "InvalidBucketName", "The specified bucket is not valid.");
/// The name of an object is wrong.
pub const INVALID_OBJECT_NAME: ErrorCode =
    ErrorCode::new(400, "InvalidObjectName", "The specified object is not valid.");
/// An argument is wrong.
pub const INVALID_ARGUMENT: ErrorCode = ErrorCode::new(400, "InvalidArgument", "Invalid Argument.");
/// An argument is missing.
pub const MISSING_ARGUMENT: ErrorCode = ErrorCode::new(400, "MissingArgument", "Missing Some Required Arguments.");
/// The body is no XML of the kind that is wanted.
pub const MALFORMED_XML: ErrorCode = ErrorCode::new(
    400,
    "MalformedXML",
    "The XML you provided was not well-formed or did not validate against our published schema.",
);
/// The body has another digest.
pub const INVALID_DIGEST: ErrorCode =
    ErrorCode::new(400, "InvalidDigest", "The Content-MD5 you specified was invalid.");
/// The simulator leaves out what the call asks for.
pub const NOT_IMPLEMENTED: ErrorCode = ErrorCode::new(
    400,
    "NotImplemented",
    "A header or parameter you provided implies functionality that is not implemented.",
);
/// The method does not exist for this address.
pub const METHOD_NOT_ALLOWED: ErrorCode =
    ErrorCode::new(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
/// The content is too long.
pub const ENTITY_TOO_LARGE: ErrorCode = ErrorCode::new(
    400,
    "EntityTooLarge",
    "Your proposed upload exceeds the maximum allowed object size: 67108864 bytes here.",
);
/// All objects together are too long, or too many.
pub const STORAGE_EXCEEDED: ErrorCode = ErrorCode::new(
    403,
    "QuotaExceeded",
    "The objects of all buckets together would exceed the quotas `objectBytes` and `objects` of this simulator.",
);
/// The object is protected by a retention policy.
pub const FILE_IMMUTABLE: ErrorCode =
    ErrorCode::new(409, "FileImmutable", "The object you specified is immutable.");
/// The object exists, and the call forbids to overwrite it.
pub const FILE_ALREADY_EXISTS: ErrorCode = ErrorCode::new(
    409,
    "FileAlreadyExists",
    "The object you specified already exists and can not be overwritten.",
);
/// A condition does not hold.
pub const PRECONDITION_FAILED: ErrorCode =
    ErrorCode::new(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold.");
/// The object has not changed since the caller read it.
pub const NOT_MODIFIED: ErrorCode = ErrorCode::new(304, "NotModified", "Not Modified.");
/// A tag is wrong.
pub const INVALID_TAG: ErrorCode =
    ErrorCode::new(400, "InvalidTag", "The TagKey or TagValue you have provided is invalid.");
