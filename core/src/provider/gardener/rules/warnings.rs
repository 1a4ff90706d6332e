//! What Gardener's API server warns of, and accepts.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const DUE: &str = "What somebody stole is of no use after the rotation. Gardener warns where the last one began 90 days ago or earlier; \
                   operators may have chosen another time.";
const UNFINISHED: &str = "What was valid before the rotation stays valid until the rotation is completed. Gardener warns after 30 days; \
                          operators may have chosen another time.";

rules! {
    WRN_001 = Rule::warning("WRN-001", SHOOT, Update)
        .summary("A Shoot that is older than 90 days has rotated its credentials.")
        .why(DUE)
        .fix("Set the annotation `gardener.cloud/operation: rotate-credentials-start`, and `rotate-credentials-complete` once the status says \
              `Prepared` and clients have the new credentials.");
    WRN_002 = Rule::warning("WRN-002", SHOOT, Update)
        .summary("The certificate authorities are rotated every 90 days.")
        .why(DUE)
        .fix("Set the annotation `gardener.cloud/operation: rotate-ca-start`, and `rotate-ca-complete` once the status says `Prepared` and \
              clients have the new certificates.");
    WRN_003 = Rule::warning("WRN-003", SHOOT, Update)
        .summary("The key that encrypts etcd is rotated every 90 days.")
        .why(DUE)
        .fix("Set the annotation `gardener.cloud/operation: rotate-etcd-encryption-key`.");
    WRN_004 = Rule::warning("WRN-004", SHOOT, Update)
        .summary("The passwords of the monitoring are rotated every 90 days, unless the purpose of the Shoot is `testing`.")
        .why(DUE)
        .fix("Set the annotation `gardener.cloud/operation: rotate-observability-credentials`.");
    WRN_005 = Rule::warning("WRN-005", SHOOT, Update)
        .summary("The key that signs tokens of service accounts is rotated every 90 days.")
        .why(DUE)
        .fix("Set the annotation `gardener.cloud/operation: rotate-serviceaccount-key-start`, and `rotate-serviceaccount-key-complete` once \
              the status says `Prepared` and clients have new tokens.");
    WRN_006 = Rule::warning("WRN-006", SHOOT, Update)
        .summary("The SSH keys of the nodes are rotated every 90 days, where the nodes are open to SSH.")
        .why(DUE)
        .fix("Set the annotation `gardener.cloud/operation: rotate-ssh-keypair`, or close the nodes with \
              `provider.workersSettings.sshAccess.enabled: false`.");
    WRN_010 = Rule::warning("WRN-010", SHOOT, Update)
        .summary("A rotation of the certificate authorities is completed within 30 days.")
        .why(UNFINISHED)
        .fix("Give clients the new certificates, then set the annotation `gardener.cloud/operation: rotate-ca-complete`.");
    WRN_011 = Rule::warning("WRN-011", SHOOT, Update)
        .summary("A rotation of the key that encrypts etcd is completed within 30 days.")
        .why(UNFINISHED)
        .fix("Set the annotation `gardener.cloud/operation: rotate-etcd-encryption-key-complete`, before Kubernetes 1.34.");
    WRN_012 = Rule::warning("WRN-012", SHOOT, Update)
        .summary("A rotation of the key that signs tokens of service accounts is completed within 30 days.")
        .why(UNFINISHED)
        .fix("Give clients new tokens, then set the annotation `gardener.cloud/operation: rotate-serviceaccount-key-complete`.");
    WRN_020 = Rule::warning("WRN-020", SHOOT, Both)
        .summary("A Shoot has no `podEvictionTimeout`.")
        .why("The field has had no effect since Kubernetes 1.13, and from 1.33 on it is refused.")
        .fix("Remove `podEvictionTimeout`; `defaultNotReadyTolerationSeconds` and `defaultUnreachableTolerationSeconds` of `kubeAPIServer` \
              say when pods leave a node.");
    WRN_021 = Rule::warning("WRN-021", SHOOT, Both)
        .summary("The key that encrypts etcd is rotated in one step.")
        .why("From Kubernetes 1.34 on, both of the two steps are refused.")
        .fix("To begin a rotation, write `rotate-etcd-encryption-key`, which completes itself. Complete one that has begun in two steps before \
              you update to Kubernetes 1.34.");
    WRN_022 = Rule::warning("WRN-022", SHOOT, Both)
        .summary("A Shoot has no `maxEmptyBulkDelete`.")
        .why("`maxScaleDownParallelism` takes its place. From Kubernetes 1.33 on, the older field is refused.")
        .fix("Remove `maxEmptyBulkDelete`, and set `maxScaleDownParallelism` to its number.");
    WRN_023 = Rule::warning("WRN-023", SHOOT, Both)
        .summary("A Shoot names its profile by `cloudProfile` alone.")
        .why("`cloudProfileName` works up to Kubernetes 1.33.")
        .fix("Remove `cloudProfileName`, and write `cloudProfile` with `kind` and `name`.");
    WRN_024 = Rule::warning("WRN-024", SHOOT, Both)
        .summary("A Shoot has no `addons`.")
        .why("The field works up to Kubernetes 1.34.")
        .fix("Install what you need in the cluster yourself, then remove `addons`, before you update to Kubernetes 1.35.");
    WRN_025 = Rule::warning("WRN-025", SHOOT, Both)
        .summary("From Kubernetes 1.35 on, kube-proxy does not run in the mode `IPVS`.")
        .why("Kubernetes gives the mode up.")
        .fix("Choose the mode `IPTables` or `NFTables`.");
    WRN_026 = Rule::warning("WRN-026", SHOOT, Update)
        .summary("kube-proxy is not switched to the mode `IPVS`.")
        .why("From version 1.35 on, Kubernetes gives the mode up.")
        .fix("Choose the mode `IPTables` or `NFTables`.");
    WRN_027 = Rule::warning("WRN-027", SHOOT, Both)
        .summary("A Shoot has no `kubeMaxPDVols`.")
        .why("The driver of the volumes knows how many a node may have. From Kubernetes 1.35 on, the field is refused.")
        .fix("Remove `kubeMaxPDVols`.");
    WRN_028 = Rule::warning("WRN-028", SHOOT, Both)
        .summary("A Shoot names its credentials by `credentialsBindingName`.")
        .why("`secretBindingName` works up to Kubernetes 1.33.")
        .fix("Make a CredentialsBinding for the Secret, and name it in `credentialsBindingName` in the place of `secretBindingName`.");
    WRN_029 = Rule::warning("WRN-029", SHOOT, Both)
        .summary("A Shoot has no `enableAnonymousAuthentication`.")
        .why("From Kubernetes 1.35 on, the field is refused.")
        .fix("Remove `enableAnonymousAuthentication`, which works up to Kubernetes 1.34; where anonymous requests are to be served, allow \
              them in `structuredAuthentication`.");
    WRN_030 = Rule::warning("WRN-030", SHOOT, Both)
        .summary("A Shoot has no `watchCacheSizes.default`.")
        .why("The API server chooses the size itself. From Kubernetes 1.35 on, the field is refused.")
        .fix("Remove `watchCacheSizes.default`.");
    WRN_031 = Rule::warning("WRN-031", SHOOT, Both)
        .summary("A DNS provider has no `secretName`.")
        .why("From Kubernetes 1.35 on, the field is refused. Before, Gardener itself sets it where `credentialsRef` names a Secret, and \
              warns of it all the same.")
        .fix("Name the Secret in `credentialsRef`, and leave out `secretName`: before Kubernetes 1.35, Gardener sets it itself, and goes on \
              to warn.");
}
