//! Addons and extensions of a Shoot, and the objects that extensions use.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const EXTENSION: &str = "Gardener finds the extension by its type.";
const RESOURCE: &str = "An extension finds the object by the name of the resource.";
const REFERENCE: &str = "Gardener copies the object to the seed.";
const KINDS: &str = "Gardener copies Secrets, ConfigMaps and WorkloadIdentities to the seed, and nothing else.";
const INGRESS: &str = "The ingress controller gets this as its configuration.";

rules! {
    GDN_ADD_001 = Rule::error("GDN-ADD-001", SHOOT, Both)
        .summary("A Shoot without workers has no addons.")
        .why("It has no nodes on which an addon could run.")
        .fix("Remove `addons`, or add a worker pool.");
    GDN_ADD_002 = Rule::error("GDN-ADD-002", SHOOT, Both)
        .summary("From Kubernetes 1.35 on, a Shoot has no addons.")
        .why("Gardener gives them up.")
        .fix("Remove `addons`, and install the ingress controller or the dashboard yourself.");
    GDN_ADD_003 = Rule::error("GDN-ADD-003", SHOOT, Both)
        .summary("Only a Shoot with the purpose `evaluation` has addons.")
        .why("Gardener does not run addons for production.")
        .fix("Remove the addon and install it yourself, or set `purpose: evaluation`.");
    GDN_ADD_004 = Rule::error("GDN-ADD-004", SHOOT, Both)
        .summary("Nobody turns on the addon `nginxIngress` where the operators forbid it.")
        .why("The API server's feature gate `DisableNginxIngressInShoot` is on.")
        .fix("Set `nginxIngress.enabled: false`, and install an ingress controller yourself.");
    GDN_ADD_005 = Rule::error("GDN-ADD-005", SHOOT, Both)
        .summary("A range in `loadBalancerSourceRanges` is in canonical CIDR notation.")
        .why("The load balancer takes requests from these ranges alone.")
        .fix("Write a range from its first address on, such as `10.250.0.0/16`.");
    GDN_ADD_006 = Rule::error("GDN-ADD-006", SHOOT, Both)
        .summary("A key of the ingress controller's `config` could be the key of a ConfigMap.")
        .why(INGRESS)
        .fix("Write letters, digits, `-`, `_` and `.`, at most 253 of them, and no `..` at the beginning.");
    GDN_ADD_007 = Rule::error("GDN-ADD-007", SHOOT, Both)
        .summary("The values of the ingress controller's `config` have at most 1 MiB.")
        .why("A ConfigMap holds no more.")
        .fix("Remove or shorten values of `config`.");
    GDN_ADD_008 = Rule::error("GDN-ADD-008", SHOOT, Both)
        .summary("`externalTrafficPolicy` is `Cluster` or `Local`.")
        .why("Kubernetes knows no other policy.")
        .fix("Write `Cluster` or `Local`, or leave out `externalTrafficPolicy`.");
    GDN_ADD_009 = Rule::error("GDN-ADD-009", SHOOT, Both)
        .summary("People log in to the dashboard with a `token`.")
        .why("Gardener knows no other way.")
        .fix("Write `authenticationMode: token`, or leave out `authenticationMode`.");
    GDN_EXT_001 = Rule::error("GDN-EXT-001", SHOOT, Both)
        .summary("An extension has a type.")
        .why(EXTENSION)
        .fix("Set `type` to the type of an extension, for example `shoot-dns-service`, or remove the entry.");
    GDN_EXT_002 = Rule::error("GDN-EXT-002", SHOOT, Both)
        .summary("The type of an extension is a DNS label.")
        .why(EXTENSION)
        .fix("Write the type of an extension: lower-case letters, digits and `-`, for example `shoot-dns-service`.");
    GDN_EXT_003 = Rule::error("GDN-EXT-003", SHOOT, Both)
        .summary("`extensions` has each type once.")
        .why("An extension has one configuration in a Shoot.")
        .fix("Keep one of the entries with this type.");
    GDN_RES_001 = Rule::error("GDN-RES-001", SHOOT, Both)
        .summary("A resource has a name.")
        .why(RESOURCE)
        .fix("Set `name`, or remove the entry.");
    GDN_RES_002 = Rule::error("GDN-RES-002", SHOOT, Both)
        .summary("`resources` has each name once.")
        .why(RESOURCE)
        .fix("Choose another name, or keep one of the entries with this name.");
    GDN_RES_003 = Rule::error("GDN-RES-003", SHOOT, Both)
        .summary("A reference to an object has an `apiVersion`.")
        .why(REFERENCE)
        .fix("Set `resourceRef.apiVersion`: `v1` for a Secret and for a ConfigMap.");
    GDN_RES_004 = Rule::error("GDN-RES-004", SHOOT, Both)
        .summary("A reference to an object has a `kind`.")
        .why(REFERENCE)
        .fix("Set `resourceRef.kind` to `Secret` or `ConfigMap`.");
    GDN_RES_005 = Rule::error("GDN-RES-005", SHOOT, Both)
        .summary("The `apiVersion` of a reference is a version, or a group and a version.")
        .why(REFERENCE)
        .fix("Write an `apiVersion` with one `/` at most: `v1` for a Secret and for a ConfigMap.");
    GDN_RES_006 = Rule::error("GDN-RES-006", SHOOT, Both)
        .summary("A reference leads to a Secret, a ConfigMap or a WorkloadIdentity.")
        .why(KINDS)
        .fix("Write `apiVersion: v1` and `kind: Secret` or `kind: ConfigMap`, or put the data into such an object.");
    GDN_RES_007 = Rule::error("GDN-RES-007", SHOOT, Both)
        .summary("A reference to an object has a `name`.")
        .why(REFERENCE)
        .fix("Set `resourceRef.name` to the name of an object of the Shoot's namespace.");
}
