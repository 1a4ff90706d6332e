//! Before a Bastion is planned (`alicloud-policy` 2.12; from ALI-BAST-007 on, what the existing extension does not say).

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

use super::BASTION;

rules! {
    BAST_001 = Rule::error("ALI-BAST-001", BASTION, Both)
        .summary("The network of the Shoot is known: a VPC, a VSwitch with its zone, an image, and the security group of the nodes.")
        .why("A bastion stands in the network of the nodes, and starts from an image of theirs.")
        .fix("Wait until the Infrastructure is ready and the Worker has its status as `spec.infrastructureProviderStatus`. On the \
              command line, give the Worker too, which has the name of the Shoot in the Cluster and the namespace of the Bastion: \
              `kubectl get workers.extensions.gardener.cloud -n NAMESPACE -o yaml`.");
    BAST_002 = Rule::error("ALI-BAST-002", BASTION, Both)
        .summary("The credentials of the Shoot's account can be read, and Alibaba Cloud can be called with them.")
        .why("Nothing is known of the cloud, and nothing can be made there, without them.")
        .fix("Put `accessKeyID` and `accessKeySecret` into the Secret `cloudprovider` in the namespace of the Bastion; or name a \
              file with a Secret with `--credentials FILE`.");
    BAST_003 = Rule::error("ALI-BAST-003", BASTION, Both)
        .summary("The VPC of the Shoot is there, and can be looked up.")
        .why("The bastion stands in it.")
        .fix("Grant the RAM user `vpc:DescribeVpcs`. Where somebody deleted the VPC, reconcile the Shoot first.");
    BAST_004 = Rule::error("ALI-BAST-004", BASTION, Both)
        .summary("The VSwitch of the Shoot is there with its zone, and can be looked up.")
        .why("The bastion gets its address from it.")
        .fix("Grant the RAM user `vpc:DescribeVSwitches`. Where somebody deleted the VSwitch, reconcile the Shoot first.");
    BAST_005 = Rule::error("ALI-BAST-005", BASTION, Both)
        .summary("The image of the nodes can be seen by the account.")
        .why("The bastion starts from it.")
        .fix("Grant the RAM user `ecs:DescribeImages`. Where the image is gone, reconcile the Shoot, so that its Infrastructure names \
              one that is there.");
    BAST_006 = Rule::error("ALI-BAST-006", BASTION, Both)
        .summary("The security group of the nodes is there, and can be looked up.")
        .why("The bastion may open connections to that group alone.")
        .fix("Grant the RAM user `ecs:DescribeSecurityGroups`. Where somebody deleted the group, reconcile the Shoot first.");
    BAST_007 = Rule::error("ALI-BAST-007", BASTION, Both)
        .summary("A Bastion has a name, a namespace, user data, and ranges of IP addresses that may connect.")
        .why("Without user data nobody could log in, and without ranges nobody could connect. Alibaba Cloud opens whole ranges, so \
              that `except` would be open too.")
        .fix("Correct the field that is named: `spec.userData` is a script as base64 of at most 32 KiB, and each item of \
              `spec.ingress` has one range as `ipBlock.cidr`, such as `203.0.113.0/24`, without `except`.");
    BAST_008 = Rule::error("ALI-BAST-008", BASTION, Both)
        .summary("The credentials may list instances.")
        .why("Alibaba Cloud answers a RAM user who may not list instances with an empty list. Without the permission a second \
              bastion would be made next to the first, or a bastion that has to go would stay.")
        .fix("Grant the RAM user `ecs:DescribeInstances`, and try again.");
    BAST_009 = Rule::error("ALI-BAST-009", BASTION, Both)
        .summary("The account of the credentials is known before something is changed.")
        .why("A state belongs to an account. Without knowing whose the credentials are, nobody can say whether what is \
              recorded is theirs.")
        .fix("Allow the credentials `sts:GetCallerIdentity`, and see to it that the service STS can be reached.");
    BAST_010 = Rule::error("ALI-BAST-010", BASTION, Both)
        .summary("The credentials belong to the account that the state names.")
        .why("In another account nothing of the bastion is found: it would be made once more there, and the first one would stay \
              open, and billed.")
        .fix("Give credentials of the account that the state names. Where the Shoot moved to another account on purpose, delete the \
              Bastion with the old credentials, and make it again. Where the state names the wrong account, correct it with \
              `trellis state rebind`.");
    BAST_011 = Rule::error("ALI-BAST-011", BASTION, Both)
        .summary("What has the name of the bastion is recorded or has its tag, unless somebody says that it is the bastion's.")
        .why("A name can be anybody's: the existing extension sets no tags, and what has the uid of another Bastion in its tag may be \
              left of one that somebody deleted by force.")
        .fix("Where it is this Bastion's, say so with `--adopt`, or in a seed with the annotation \
              `bastion.trellis.gardener.cloud/adopt: \"true\"`. Else delete or rename it in Alibaba Cloud.");
    BAST_012 = Rule::error("ALI-BAST-012", BASTION, Both)
        .summary("Of a bastion that is to go, something that is recorded is found.")
        .why("Where nothing is found, the cloud, the region or the account may be the wrong one, and the bastion may still be there, \
              open and billed. Where the account is the recorded one, this is a warning, and the record is given up.")
        .fix("Check `--cloud` and the region. Where the account is not known, and somebody deleted everything, give up the record with \
              `--forget`, or in a seed with the annotation `bastion.trellis.gardener.cloud/forget: \"true\"`.");
    BAST_013 = Rule::error("ALI-BAST-013", BASTION, Both)
        .summary("A machine type is known on which the image runs.")
        .why("An image for one architecture does not start on another one.")
        .fix("Name a machine type of the image's architecture as `spec.bastion.machineType.name` in the CloudProfile, or list one in \
              `spec.machineTypes`.");
    BAST_014 = Rule::error("ALI-BAST-014", BASTION, Both)
        .summary("The instance of the bastion runs.")
        .why("Somebody stopped it. Trellis does not start what a person stopped, and nobody can log in meanwhile.")
        .fix("Start the instance in Alibaba Cloud, or delete the Bastion and make it again.");
    BAST_015 = Rule::error("ALI-BAST-015", BASTION, Both)
        .summary("Alibaba Cloud answers what there is of the bastion and which machine types it offers.")
        .why("Without its answer nobody knows what to make and what to remove.")
        .fix("Read the cloud's words in the finding. Allow the credentials the call that it names, and try again.");
    BAST_016 = Rule::error("ALI-BAST-016", BASTION, Both)
        .summary("The instance of the bastion is in the bastion's security group.")
        .why("The rules of the group say who reaches the instance, and what it reaches. In another group, other rules count.")
        .fix("Delete the instance in Alibaba Cloud, so that the next run makes one; or move it into the security group of the bastion, \
              and into no other one.");
}
