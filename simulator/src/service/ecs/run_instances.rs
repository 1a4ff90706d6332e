//! Instances are created: `RunInstances`.

use std::net::Ipv4Addr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::available_resources::DISKS;
use super::images;
use super::instance_addresses::{ADDRESS_TAKEN, BAD_ADDRESS, NO_ADDRESS, addresses};
use super::instance_types::{InstanceType, instance_type};
use super::public_addresses::{NONE_LEFT, free};
use super::security_groups::INSTANCES;
use super::visible_images::VisibleImage;
use super::{DESCRIPTION, DUPLICATE_TAG, distinct_tags};
use crate::action::{
    ADDRESS, ANY, Action, BOOLEAN, Call, CloudError, ErrorCode, Form, Parameter, Rule, Shape, TAGS, TEXT, TOKEN,
    common, field, items, list, optional, record, records, required,
};
use crate::resource::{Status, Tags};
use crate::settings::Quota;
use crate::world::World;
use crate::world::ecs::Instance;
use crate::world::vpc::VSwitch;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[RUN];

/// Instances of an account in a region.
pub(super) const QUOTA: Quota = Quota::new("instances", 100);

const BAD_TYPE: ErrorCode = ErrorCode::new(
    400,
    "InvalidInstanceType.ValueNotSupported",
    "The specified InstanceType does not exist or beyond the permitted range.",
);
const IMAGE_STATUS: ErrorCode = ErrorCode::new(400, "IncorrectImageStatus", "The image not available.");
const IMAGE_AND_TYPE: ErrorCode = ErrorCode::new(
    403,
    "ImageNotSupportInstanceType",
    "The specified image does not support the specified InstanceType.",
);
const NO_VSWITCH: ErrorCode =
    ErrorCode::new(404, "InvalidVSwitchId.NotFound", "Specified virtual switch does not exist.");
const VSWITCH_STATUS: ErrorCode = ErrorCode::new(
    400,
    "IncorrectVSwitchStatus",
    "The current status of the virtual switch does not support this operation.",
);
const OTHER_ZONE: ErrorCode =
    ErrorCode::new(400, "InvalidZoneId.Mismatch", "The virtual switch is not in the specified zone.");
const NO_GROUP: ErrorCode =
    ErrorCode::new(404, "InvalidSecurityGroupId", "The specified SecurityGroupId is invalid or does not exist.");
const OTHER_VPC: ErrorCode = ErrorCode::new(
    403,
    "OperationDenied.InconsistentNetwork",
    "The specified security group and vswitch are not in the same vpc.",
);
const GROUP_FULL: ErrorCode = ErrorCode::new(
    403,
    "SecurityGroupInstanceLimitExceed",
    "Exceeding the allowed amount of instances of a security group.",
);
const QUOTA_EXCEEDED: ErrorCode = ErrorCode::new(
    403,
    "QuotaExceed.ElasticQuota",
    "No additional quota is available for the specified ECS instance type.",
);
const BAD_DISK: ErrorCode =
    ErrorCode::new(403, "InvalidDiskCategory.ValueNotSupported", "The specified disk category is not supported.");
const SMALL_DISK: ErrorCode = ErrorCode::new(
    403,
    "InvalidSystemDiskSize.LessThanImageSize",
    "The specified parameter SystemDisk.Size is less than the image size.",
);
const BAD_USER_DATA: ErrorCode =
    ErrorCode::new(400, "InvalidUserData.Base64FormatInvalid", "The specified UserData is not valid.");

/// Most bytes of user data.
const USER_DATA: usize = 32 << 10;

const INSTANCE_NAME: Form = Form::Text(&Rule {
    what: "2 to 128 characters, the first a letter, not beginning with http:// or https://",
    check: |text| {
        (2..=128).contains(&text.chars().count()) && text.starts_with(char::is_alphabetic) && !super::web(text)
    },
});

const DATA_DISK: &[Parameter] = &[
    optional("Category", Form::OneOf(DISKS)).malformed(&BAD_DISK),
    optional("Size", Form::Integer(1, 65_536)),
    optional("PerformanceLevel", Form::OneOf(&["PL0", "PL1", "PL2", "PL3"])),
    optional("DeleteWithInstance", BOOLEAN),
    optional("Encrypted", BOOLEAN),
    optional("DiskName", INSTANCE_NAME),
    optional("Description", DESCRIPTION),
    optional("Device", TEXT),
];

const RUN: Action = Action::write("RunInstances", run)
    .parameters(&[
        required("RegionId", TEXT),
        optional("ImageId", TEXT),
        optional("InstanceType", TEXT),
        optional("VSwitchId", TEXT),
        optional("ZoneId", TEXT),
        optional("SecurityGroupId", TEXT),
        optional("SecurityGroupIds", list(5, &TEXT)),
        optional("Amount", Form::Integer(1, 100)).or("1"),
        optional("InstanceName", INSTANCE_NAME),
        optional("Description", DESCRIPTION),
        optional("HostName", TEXT),
        optional("PrivateIpAddress", ADDRESS),
        optional("InternetMaxBandwidthIn", Form::Integer(1, 1000)),
        optional("InternetMaxBandwidthOut", Form::Integer(0, 100)).or("0"),
        optional("InternetChargeType", Form::OneOf(&["PayByTraffic", "PayByBandwidth"])).or("PayByTraffic"),
        optional("InstanceChargeType", Form::OneOf(&["PostPaid"])),
        optional("IoOptimized", Form::OneOf(&["optimized"])),
        optional("KeyPairName", TEXT),
        optional("UserData", ANY),
        // Disks are no resources here; their parameters are only checked.
        optional("SystemDisk.Category", Form::OneOf(DISKS)).malformed(&BAD_DISK),
        optional("SystemDisk.Size", Form::Integer(1, 2048)),
        optional("SystemDisk.PerformanceLevel", Form::OneOf(&["PL0", "PL1", "PL2", "PL3"])),
        optional("SystemDisk.Encrypted", BOOLEAN),
        optional("SystemDisk.DiskName", INSTANCE_NAME),
        optional("SystemDisk.Description", DESCRIPTION),
        optional("DataDisk", records(16, DATA_DISK)),
        optional("SpotStrategy", Form::OneOf(&["NoSpot", "SpotWithPriceLimit", "SpotAsPriceGo"])).or("NoSpot"),
        optional("DeletionProtection", BOOLEAN),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&[
        "Affinity",
        "Arn",
        "AutoPay",
        "AutoReleaseTime",
        "AutoRenew",
        "AutoRenewPeriod",
        "ClockOptions",
        "CpuOptions",
        "CreditSpecification",
        "DataDisk.N.AutoSnapshotPolicyId",
        "DataDisk.N.BurstingEnabled",
        "DataDisk.N.EncryptAlgorithm",
        "DataDisk.N.KMSKeyId",
        "DataDisk.N.ProvisionedIops",
        "DataDisk.N.SnapshotId",
        "DataDisk.N.StorageClusterId",
        "DedicatedHostId",
        "DeploymentSetGroupNo",
        "DeploymentSetId",
        "HibernationOptions",
        "HostNames",
        "HpcClusterId",
        "HttpEndpoint",
        "HttpPutResponseHopLimit",
        "HttpTokens",
        "ImageFamily",
        "ImageOptions",
        "Ipv6Address",
        "Ipv6AddressCount",
        "Isp",
        "LaunchTemplateId",
        "LaunchTemplateName",
        "LaunchTemplateVersion",
        "ManagedHostId",
        "MinAmount",
        "NetworkInterface",
        "NetworkInterfaceQueueNumber",
        "NetworkOptions",
        "Password",
        "PasswordInherit",
        "Period",
        "PeriodUnit",
        "PrivateDnsNameOptions",
        "PrivatePoolOptions",
        "RamRoleName",
        "ResourceGroupId",
        "SchedulerOptions",
        "SecurityEnhancementStrategy",
        "SecurityOptions",
        "SpotDuration",
        "SpotInterruptionBehavior",
        "SpotPriceLimit",
        "StorageSetId",
        "StorageSetPartitionNumber",
        "SystemDisk.AutoSnapshotPolicyId",
        "SystemDisk.BurstingEnabled",
        "SystemDisk.EncryptAlgorithm",
        "SystemDisk.KMSKeyId",
        "SystemDisk.ProvisionedIops",
        "SystemDisk.StorageClusterId",
        "Tenancy",
        "UniqueSuffix",
    ])
    .answer(&[field("InstanceIdSets", record(&[field("InstanceIdSet", items(&Shape::Text))]))])
    .errors(&[
        &images::NOT_FOUND,
        &IMAGE_STATUS,
        &BAD_TYPE,
        &IMAGE_AND_TYPE,
        &NO_VSWITCH,
        &VSWITCH_STATUS,
        &OTHER_ZONE,
        &NO_GROUP,
        &OTHER_VPC,
        &GROUP_FULL,
        &QUOTA_EXCEEDED,
        &NO_ADDRESS,
        &BAD_ADDRESS,
        &ADDRESS_TAKEN,
        &BAD_DISK,
        &SMALL_DISK,
        &BAD_USER_DATA,
        &DUPLICATE_TAG,
        &NONE_LEFT,
    ])
    .through(&[Status::Pending, Status::Starting, Status::Running])
    .takes(Duration::from_secs(30));

fn run(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    distinct_tags(call)?;
    user_data(call)?;
    let amount = usize::try_from(call.integer("Amount").unwrap_or(1)).unwrap_or_default();
    image_and_type(world, call)?;
    let vswitch = vswitch(world, call)?.clone();
    let groups = groups(world, call, &vswitch, amount)?;
    call.within(&QUOTA, world.region(call).ecs.instances.len() + amount - 1, &QUOTA_EXCEEDED)?;
    let private = addresses(world, call, &vswitch, amount)?;
    let out = call.integer("InternetMaxBandwidthOut").unwrap_or_default();
    let mut public: Vec<Option<Ipv4Addr>> = vec![None; amount];
    if out > 0 {
        public = free(world, amount)?.into_iter().map(Some).collect();
    }
    let mut ids = Vec::new();
    for (private_ip_address, public_ip_address) in private.into_iter().zip(public) {
        let instance_id = world.id("i-");
        let network_interface_id = world.id("eni-");
        let mac_address = mac(world.number());
        ids.push(instance_id.clone());
        world.region_mut(call).ecs.instances.insert(Instance {
            instance_name: call.given("InstanceName").unwrap_or(&instance_id).to_owned(),
            description: call.text("Description").to_owned(),
            host_name: call.given("HostName").unwrap_or(&instance_id).to_owned(),
            instance_id,
            image_id: call.text("ImageId").to_owned(),
            instance_type: call.text("InstanceType").to_owned(),
            zone_id: vswitch.zone_id.clone(),
            vpc_id: vswitch.vpc_id.clone(),
            v_switch_id: vswitch.v_switch_id.clone(),
            security_group_ids: groups.clone(),
            private_ip_address,
            public_ip_address,
            network_interface_id,
            mac_address,
            key_pair_name: call.text("KeyPairName").to_owned(),
            internet_charge_type: call.text("InternetChargeType").to_owned(),
            internet_max_bandwidth_in: call.integer("InternetMaxBandwidthIn").unwrap_or_else(|| out.max(10)),
            internet_max_bandwidth_out: out,
            spot_strategy: call.text("SpotStrategy").to_owned(),
            stopped_mode: "KeepCharging".to_owned(),
            deletion_protection: call.flag("DeletionProtection") == Some(true),
            creation_time: call.time(),
            start_time: call.time(),
            tags: Tags::read(call),
            phase: call
                .turn(Status::Pending, call.takes() / 3, Status::Starting)
                .then(call.takes() / 3 * 2, Status::Running),
        });
    }
    if let Some(name) = call.given("KeyPairName") {
        world.region_mut(call).ecs.key_pairs.insert(name.to_owned());
    }
    Ok(json!({ "InstanceIdSets": { "InstanceIdSet": ids } }))
}

fn needed<'a>(call: &'a Call<'_>, name: &str) -> Result<&'a str, CloudError> {
    call.given(name).ok_or_else(|| CloudError::not_supplied(name))
}

fn user_data(call: &Call<'_>) -> Result<(), CloudError> {
    let Some(data) = call.given("UserData") else { return Ok(()) };
    let data = STANDARD.decode(data).map_err(|_| &BAD_USER_DATA)?;
    if data.len() > USER_DATA { Err((&BAD_USER_DATA).into()) } else { Ok(()) }
}

/// Checks that the image runs on the type, and fits on its disk.
fn image_and_type(world: &World, call: &Call<'_>) -> Result<(), CloudError> {
    let (image, kind) = (needed(call, "ImageId")?, needed(call, "InstanceType")?);
    let kind: &InstanceType = instance_type(kind).ok_or(&BAD_TYPE)?;
    let image = VisibleImage::find(world, &call.caller.account, call.region, image).ok_or(&images::NOT_FOUND)?;
    if image.status() != Status::Available {
        return Err((&IMAGE_STATUS).into());
    }
    if !kind.runs(image.architecture()) {
        return Err((&IMAGE_AND_TYPE).into());
    }
    if call.integer("SystemDisk.Size").is_some_and(|size| size < image.size()) {
        return Err((&SMALL_DISK).into());
    }
    Ok(())
}

fn vswitch<'a>(world: &'a World, call: &Call<'_>) -> Result<&'a VSwitch, CloudError> {
    let id = needed(call, "VSwitchId")?;
    let vswitch = world.region(call).vpc.vswitches.get(id).ok_or(&NO_VSWITCH)?;
    if vswitch.phase.status != Status::Available {
        return Err((&VSWITCH_STATUS).into());
    }
    if call.given("ZoneId").is_some_and(|zone| zone != vswitch.zone_id) {
        return Err((&OTHER_ZONE).into());
    }
    Ok(vswitch)
}

/// The security groups of a call: in the network, and with room for more instances.
fn groups(world: &World, call: &Call<'_>, vswitch: &VSwitch, amount: usize) -> Result<Vec<String>, CloudError> {
    let many = call.texts("SecurityGroupIds");
    let ids = match (call.given("SecurityGroupId"), many) {
        (Some(_), [_, ..]) => {
            return Err(common::INVALID_PARAMETER
                .because("SecurityGroupId and SecurityGroupIds.N cannot be used together."));
        }
        (Some(id), []) => vec![id.to_owned()],
        (None, [_, ..]) => many.to_vec(),
        (None, []) => vec![needed(call, "SecurityGroupId")?.to_owned()],
    };
    let ecs = &world.region(call).ecs;
    for id in &ids {
        let group = ecs.security_groups.get(id).ok_or(&NO_GROUP)?;
        if group.vpc_id != vswitch.vpc_id {
            return Err((&OTHER_VPC).into());
        }
        let count = ecs.instances.iter().filter(|instance| instance.in_group(id)).count();
        call.within(&INSTANCES, count + amount - 1, &GROUP_FULL)?;
    }
    Ok(ids)
}

/// A hardware address of the cloud's.
fn mac(number: u64) -> String {
    let [.., a, b, c, d] = number.to_be_bytes();
    format!("00:16:{a:02x}:{b:02x}:{c:02x}:{d:02x}")
}
