//! Buckets: `PutBucket`, `ListBuckets`, `GetBucketInfo`, `GetBucketLocation`, `DeleteBucket`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::acl::{OWNER, Permission, WORDS, owned};
use super::encryption::RULE;
use super::errors::{ACCESS_DENIED, INVALID_ARGUMENT, MALFORMED_XML, NO_SUCH_BUCKET};
use super::{BUCKET, ENDPOINT, bucket, endpoint, instant};
use crate::action::{Action, Call, CloudError, ErrorCode, Form, Shape, TEXT, field, items, optional, record};
use crate::regions::region;
use crate::settings::Quota;
use crate::world::World;
use crate::world::oss::{Acl, Bucket};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[PUT, LIST, INFO, LOCATION, DELETE];

/// <https://www.alibabacloud.com/help/en/oss/user-guide/limits>
pub(super) const QUOTA: Quota = Quota::new("buckets", 100);

const TOO_MANY: ErrorCode =
    ErrorCode::new(400, "TooManyBuckets", "You have attempted to create more buckets than allowed.");
const ALREADY_EXISTS: ErrorCode = ErrorCode::new(
    409,
    "BucketAlreadyExists",
    "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please \
     select a different name and try again.",
);
const INVALID_LOCATION: ErrorCode =
    ErrorCode::new(400, "InvalidLocationConstraint", "The specified location-constraint is not valid.");
const NOT_EMPTY: ErrorCode = ErrorCode::new(409, "BucketNotEmpty", "The bucket you tried to delete is not empty.");

const PUT: Action = Action::write("PutBucket", put)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        optional("x-oss-acl", WORDS),
        optional("StorageClass", Form::OneOf(&["Standard", "IA"])).or("Standard"),
        optional("DataRedundancyType", Form::OneOf(&["LRS", "ZRS"])).or("LRS"),
        optional("LocationConstraint", TEXT).malformed(&MALFORMED_XML),
    ])
    .left_out(&["x-oss-resource-group-id", "x-oss-bucket-tagging", "x-oss-bucket-object-worm-enabled"])
    .errors(&[&TOO_MANY, &ALREADY_EXISTS, &INVALID_LOCATION, &INVALID_ARGUMENT]);

fn put(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let name = call.text("bucket");
    if region(call.region).is_none() {
        return Err(INVALID_ARGUMENT.because(format!("There is no region {}.", call.region)));
    }
    if call.given("LocationConstraint").is_some_and(|location| location.strip_prefix("oss-") != Some(call.region))
    {
        return Err((&INVALID_LOCATION).into());
    }
    let account = &call.caller.account;
    if world.accounts().any(|(other, has)| other != account && has.oss.buckets.contains_key(name)) {
        return Err((&ALREADY_EXISTS).into());
    }
    let buckets = &mut world.account_mut(account).oss.buckets;
    let acl = call.given("x-oss-acl").map(Acl::named);
    if let Some(bucket) = buckets.get_mut(name) {
        let same = bucket.region == call.region
            && bucket.storage_class == call.text("StorageClass")
            && bucket.data_redundancy_type == call.text("DataRedundancyType");
        if !same {
            return Err((&ALREADY_EXISTS).into());
        }
        bucket.acl = acl.unwrap_or(bucket.acl);
        return Ok(json!({ "Location": format!("/{name}") }));
    }
    call.within(&QUOTA, buckets.len(), &TOO_MANY)?;
    let bucket = Bucket {
        name: name.to_owned(),
        region: call.region.to_owned(),
        created: call.now,
        storage_class: call.text("StorageClass").to_owned(),
        data_redundancy_type: call.text("DataRedundancyType").to_owned(),
        acl: acl.unwrap_or_default(),
        encryption: None,
        rules: Vec::new(),
        worm: None,
        objects: BTreeMap::new(),
        uploads: BTreeMap::new(),
        due: None,
    };
    buckets.insert(name.to_owned(), bucket);
    Ok(json!({ "Location": format!("/{name}") }))
}

const LISTED: Shape = record(&[
    field("Name", Shape::Text),
    field("Location", Shape::Text),
    field("Region", Shape::Text),
    field("CreationDate", Shape::Text),
    field("ExtranetEndpoint", Shape::Text),
    field("IntranetEndpoint", Shape::Text),
    field("StorageClass", Shape::Text),
]);

const LIST: Action = Action::read("ListBuckets", list)
    .parameters(&[
        ENDPOINT,
        optional("prefix", TEXT),
        optional("marker", TEXT),
        optional("max-keys", Form::Integer(1, 1000)).or("100"),
    ])
    .left_out(&["x-oss-resource-group-id", "tag-key", "tag-value", "tagging"])
    .answer(&[field(
        "ListAllMyBucketsResult",
        record(&[
            field("Owner", OWNER),
            field("Buckets", record(&[field("Bucket", items(&LISTED))])),
            field("Prefix", Shape::Text),
            field("Marker", Shape::Text),
            field("MaxKeys", Shape::Integer),
            field("IsTruncated", Shape::Boolean),
            field("NextMarker", Shape::Text),
        ]),
    )]);

fn list(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let (prefix, marker) = (call.text("prefix"), call.text("marker"));
    let most = usize::try_from(call.integer("max-keys").unwrap_or(100)).unwrap_or(100);
    let all = &world.account(call).oss.buckets;
    let mut found = all.values().filter(|bucket| bucket.name.starts_with(prefix) && bucket.name.as_str() > marker);
    let rows: Vec<Value> = found
        .by_ref()
        .take(most)
        .map(|bucket| {
            json!({
                "Name": bucket.name,
                "Location": format!("oss-{}", bucket.region),
                "Region": bucket.region,
                "CreationDate": instant(bucket.created),
                "ExtranetEndpoint": endpoint(&bucket.region),
                "IntranetEndpoint": endpoint(&format!("{}-internal", bucket.region)),
                "StorageClass": bucket.storage_class,
            })
        })
        .collect();
    let more = found.next().is_some();
    let mut result = json!({ "Owner": owned(&call.caller.account) });
    // The cloud leaves out the members about parts where the list is complete and the call asked for no part.
    if more || call.has("prefix") || call.has("marker") {
        let last = rows.last().and_then(|row| row.get("Name")).filter(|_| more).cloned();
        result = json!({
            "Owner": owned(&call.caller.account),
            "Prefix": prefix,
            "Marker": marker,
            "MaxKeys": most,
            "IsTruncated": more,
            "NextMarker": last,
        });
    }
    if let Some(result) = result.as_object_mut() {
        result.insert("Buckets".to_owned(), json!({ "Bucket": rows }));
    }
    Ok(json!({ "ListAllMyBucketsResult": result }))
}

const INFO: Action = Action::read("GetBucketInfo", info)
    .parameters(&[BUCKET, ENDPOINT])
    .answer(&[field(
        "BucketInfo",
        record(&[field(
            "Bucket",
            record(&[
                field("Name", Shape::Text),
                field("CreationDate", Shape::Text),
                field("ExtranetEndpoint", Shape::Text),
                field("IntranetEndpoint", Shape::Text),
                field("Location", Shape::Text),
                field("StorageClass", Shape::Text),
                field("DataRedundancyType", Shape::Text),
                field("TransferAcceleration", Shape::Text),
                field("CrossRegionReplication", Shape::Text),
                field("AccessMonitor", Shape::Text),
                field("BlockPublicAccess", Shape::Boolean),
                field("Comment", Shape::Text),
                field("Owner", OWNER),
                field("AccessControlList", record(&[field("Grant", Shape::Text)])),
                field("ServerSideEncryptionRule", RULE),
            ]),
        )]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED]);

fn info(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Own)?;
    let encryption = match &bucket.encryption {
        Some(encryption) => json!(encryption),
        None => json!({ "SSEAlgorithm": "None" }),
    };
    Ok(json!({
        "BucketInfo": {
            "Bucket": {
                "Name": bucket.name,
                "CreationDate": instant(bucket.created),
                "ExtranetEndpoint": endpoint(&bucket.region),
                "IntranetEndpoint": endpoint(&format!("{}-internal", bucket.region)),
                "Location": format!("oss-{}", bucket.region),
                "StorageClass": bucket.storage_class,
                "DataRedundancyType": bucket.data_redundancy_type,
                "TransferAcceleration": "Disabled",
                "CrossRegionReplication": "Disabled",
                "AccessMonitor": "Disabled",
                "BlockPublicAccess": false,
                "Comment": "",
                "Owner": owned(&call.caller.account),
                "AccessControlList": { "Grant": bucket.acl },
                "ServerSideEncryptionRule": encryption,
            },
        },
    }))
}

const LOCATION: Action = Action::read("GetBucketLocation", location)
    .parameters(&[BUCKET, ENDPOINT])
    .answer(&[field("LocationConstraint", record(&[field("", Shape::Text)]))])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED]);

fn location(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Own)?;
    Ok(json!({ "LocationConstraint": { "": format!("oss-{}", bucket.region) } }))
}

const DELETE: Action = Action::write("DeleteBucket", delete).parameters(&[BUCKET, ENDPOINT]).errors(&[
    &NO_SUCH_BUCKET,
    &ACCESS_DENIED,
    &NOT_EMPTY,
]);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Own)?;
    if !bucket.objects.is_empty() || !bucket.uploads.is_empty() {
        return Err((&NOT_EMPTY).into());
    }
    world.account_mut(&call.caller.account).oss.buckets.remove(call.text("bucket"));
    Ok(json!({}))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::Oss;
    use crate::settings::Settings;
    use crate::testing::REGION;

    const BUCKET: (&str, &str) = ("bucket", "bucket");

    #[test]
    fn a_bucket_comes_and_goes() {
        let cloud = Oss::new();
        cloud.call("PutBucket", &[BUCKET, ("StorageClass", "IA"), ("x-oss-acl", "public-read")]);
        let bucket = cloud.call("GetBucketInfo", &[BUCKET]).fields["BucketInfo"]["Bucket"].clone();
        assert_eq!(bucket["Location"], format!("oss-{REGION}"));
        assert_eq!(bucket["StorageClass"], "IA");
        assert_eq!(bucket["AccessControlList"]["Grant"], "public-read");
        assert_eq!(bucket["CreationDate"], "2026-01-02T03:04:05.000Z");
        let location = cloud.call("GetBucketLocation", &[BUCKET]).fields;
        assert_eq!(location["LocationConstraint"][""], format!("oss-{REGION}"));
        cloud.put("a", b"1");
        assert_eq!(cloud.attempt("DeleteBucket", &[BUCKET]), Err("BucketNotEmpty"));
        cloud.call("DeleteObject", &[BUCKET, ("key", "a")]);
        cloud.call("DeleteBucket", &[BUCKET]);
        assert_eq!(cloud.attempt("DeleteBucket", &[BUCKET]), Err("NoSuchBucket"));
    }

    #[test]
    fn a_name_is_taken_for_all_accounts() {
        let cloud = Oss::with_bucket();
        assert_eq!(cloud.attempt("PutBucket", &[BUCKET]), Ok(()), "it is the owner's");
        for other in [("StorageClass", "IA"), ("DataRedundancyType", "ZRS")] {
            assert_eq!(cloud.attempt("PutBucket", &[BUCKET, other]), Err("BucketAlreadyExists"));
        }
        assert_eq!(cloud.in_region("eu-central-1").attempt("PutBucket", &[BUCKET]), Err("BucketAlreadyExists"));
        let other = cloud.other_account();
        assert_eq!(other.attempt("PutBucket", &[BUCKET]), Err("BucketAlreadyExists"));
        assert_eq!(other.attempt("GetBucketInfo", &[BUCKET]), Err("AccessDenied"));
    }

    #[test]
    fn what_makes_no_bucket_is_refused() {
        let cloud = Oss::new();
        for name in ["ab", "Bucket", "-bucket", "bucket-", "buc_ket", "b.c.d", &"b".repeat(64)] {
            assert_eq!(cloud.attempt("PutBucket", &[("bucket", name)]), Err("InvalidBucketName"), "{name}");
        }
        let constraint = ("LocationConstraint", "oss-cn-beijing");
        assert_eq!(cloud.attempt("PutBucket", &[BUCKET, constraint]), Err("InvalidLocationConstraint"));
        assert_eq!(cloud.in_region("mars").attempt("PutBucket", &[BUCKET]), Err("InvalidArgument"));
    }

    #[test]
    fn buckets_are_bounded() {
        let quotas = [("buckets".to_owned(), 1)].into();
        let cloud = Oss::with(Settings { quotas, ..Settings::default() });
        cloud.call("PutBucket", &[BUCKET]);
        assert_eq!(cloud.attempt("PutBucket", &[("bucket", "second")]), Err("TooManyBuckets"));
    }

    #[test]
    fn an_endpoint_of_another_region_is_refused_with_the_right_one() {
        let cloud = Oss::with_bucket();
        let error = cloud.call_or("GetBucketInfo", &[BUCKET, ("endpoint", "eu-central-1")], b"").unwrap_err();
        assert_eq!(error.error.code, "AccessDenied");
        assert_eq!(error.detail, Some(("Endpoint", format!("oss-{REGION}.aliyuncs.com"))));
        assert_eq!(cloud.attempt("GetBucketInfo", &[BUCKET, ("endpoint", REGION)]), Ok(()));
    }

    #[test]
    fn buckets_of_all_regions_are_listed_in_parts() {
        let cloud = Oss::new();
        for (name, region) in [("bucket-a", "cn-shanghai"), ("bucket-b", "eu-central-1"), ("other", "cn-shanghai")]
        {
            cloud.in_region(region).call("PutBucket", &[("bucket", name)]);
        }
        let names = |parameters: &[(&str, &str)]| {
            let result = cloud.call("ListBuckets", parameters).fields["ListAllMyBucketsResult"].clone();
            let rows = result["Buckets"]["Bucket"].as_array().unwrap().clone();
            let names: Vec<_> = rows.iter().map(|row| row["Name"].as_str().unwrap().to_owned()).collect();
            (names.join(" "), result["NextMarker"].clone())
        };
        assert_eq!(names(&[]), ("bucket-a bucket-b other".to_owned(), json!(null)));
        assert_eq!(names(&[("prefix", "bucket-")]).0, "bucket-a bucket-b");
        assert_eq!(names(&[("max-keys", "1")]), ("bucket-a".to_owned(), json!("bucket-a")));
        assert_eq!(names(&[("marker", "bucket-a")]).0, "bucket-b other");
    }
}
