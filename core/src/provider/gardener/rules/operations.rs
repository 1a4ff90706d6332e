//! The operations that a person asks for by annotation.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const KNOWN: &str = "Gardener does nothing by an annotation that it does not know.";
const ALONE: &str = "The operation changes what the others work on.";
const CONTAINED: &str = "The one contains the other, or contradicts it.";
const PHASES: &str = "A rotation has phases, and each begins when the one before has ended.";
const SEPARATE: &str = "Remove one of the operations.";
const WAIT: &str =
    "Remove the operation, and ask for it again when the Shoot is created and its last rotation has ended.";
const COMPLETE: &str = "Remove the operation, and ask for it again when the status says `Prepared`.";
const NAMES: &str = "Write names of worker pools of the Shoot, each once, with commas between them.";
const POOLS: &str = "Gardener replaces the machines of these pools.";

rules! {
    GDN_OP_001 = Rule::error("GDN-OP-001", SHOOT, Both)
        .summary("`gardener.cloud/operation` asks for operations that Gardener knows.")
        .why(KNOWN)
        .fix("Write operations that are listed, with `;` between them.");
    GDN_OP_002 = Rule::error("GDN-OP-002", SHOOT, Both)
        .summary("In `gardener.cloud/operation`, `force-in-place-update`, `maintain` and `retry` stand alone.")
        .why(ALONE)
        .fix("Remove the operation, or all others.");
    GDN_OP_003 = Rule::error("GDN-OP-003", SHOOT, Both)
        .summary("`maintenance.gardener.cloud/operation` asks for operations that Gardener knows.")
        .why(KNOWN)
        .fix("Write operations that are listed, with `;` between them.");
    GDN_OP_004 = Rule::error("GDN-OP-004", SHOOT, Both)
        .summary("In `maintenance.gardener.cloud/operation`, `force-in-place-update`, `maintain` and `retry` stand alone.")
        .why(ALONE)
        .fix("Remove the operation, or all others.");
    GDN_OP_005 = Rule::error("GDN-OP-005", SHOOT, Both)
        .summary("No operation is asked for both now and for the next maintenance.")
        .why("It would run twice.")
        .fix("Remove the operation from one of the annotations `gardener.cloud/operation` and `maintenance.gardener.cloud/operation`.");
    GDN_OP_006 = Rule::error("GDN-OP-006", SHOOT, Both)
        .summary("From Kubernetes 1.34 on, nobody starts and completes the rotation of etcd's encryption key in two steps.")
        .why("Gardener rotates the key in one step.")
        .fix("Write `rotate-etcd-encryption-key`.");
    GDN_OP_007 = Rule::error("GDN-OP-007", SHOOT, Both)
        .summary("Operations that are asked for together go together.")
        .why(CONTAINED)
        .fix(SEPARATE);
    GDN_OP_008 = Rule::error("GDN-OP-008", SHOOT, Both)
        .summary("Nobody rotates keys or replaces machines of a Shoot that sleeps or wakes up.")
        .why("The operation needs the control plane and the machines.")
        .fix("Wake the Shoot up first, or remove the operation.");
    GDN_OP_009 = Rule::error("GDN-OP-009", SHOOT, Both)
        .summary("Nobody rotates etcd's encryption key while a change of the encrypted resources is on its way.")
        .why("Gardener writes the resources again for each of the two.")
        .fix("Wait until the status lists the resources of `spec.kubernetes.kubeAPIServer.encryptionConfig`, and ask again.");
    GDN_OP_010 = Rule::error("GDN-OP-010", SHOOT, Both)
        .summary("Nobody asks now for a part of a rotation of all credentials that the next maintenance brings.")
        .why(CONTAINED)
        .fix(SEPARATE);
    GDN_OP_011 = Rule::error("GDN-OP-011", SHOOT, Both)
        .summary("Nobody asks now for a rotation of all credentials of which the next maintenance brings a part.")
        .why(CONTAINED)
        .fix(SEPARATE);
    GDN_OP_012 = Rule::error("GDN-OP-012", SHOOT, Both)
        .summary("A rotation of all credentials starts when the Shoot is created and no rotation is on its way.")
        .why(PHASES)
        .fix(WAIT);
    GDN_OP_013 = Rule::error("GDN-OP-013", SHOOT, Both)
        .summary("A rotation of all credentials is completed when it is prepared.")
        .why(PHASES)
        .fix(COMPLETE);
    GDN_OP_014 = Rule::error("GDN-OP-014", SHOOT, Both)
        .summary("A rotation of the certificate authorities starts when the Shoot is created and no such rotation is on its way.")
        .why(PHASES)
        .fix(WAIT);
    GDN_OP_015 = Rule::error("GDN-OP-015", SHOOT, Both)
        .summary("A rotation of the certificate authorities is completed when it is prepared.")
        .why(PHASES)
        .fix(COMPLETE);
    GDN_OP_016 = Rule::error("GDN-OP-016", SHOOT, Both)
        .summary("A rotation of the service accounts' key starts when the Shoot is created and no such rotation is on its way.")
        .why(PHASES)
        .fix(WAIT);
    GDN_OP_017 = Rule::error("GDN-OP-017", SHOOT, Both)
        .summary("A rotation of the service accounts' key is completed when it is prepared.")
        .why(PHASES)
        .fix(COMPLETE);
    GDN_OP_018 = Rule::error("GDN-OP-018", SHOOT, Both)
        .summary("A rotation of etcd's encryption key starts when the Shoot is created and no such rotation is on its way.")
        .why(PHASES)
        .fix(WAIT);
    GDN_OP_019 = Rule::error("GDN-OP-019", SHOOT, Both)
        .summary("A rotation of etcd's encryption key is completed when it is prepared.")
        .why(PHASES)
        .fix(COMPLETE);
    GDN_OP_020 = Rule::error("GDN-OP-020", SHOOT, Both)
        .summary("No rotation of certificate authorities and of service accounts' keys starts while pools wait for an update in place.")
        .why("The machines get the new credentials by such an update.")
        .fix("Wait until the updates in place have ended, and ask again.");
    GDN_OP_021 = Rule::error("GDN-OP-021", SHOOT, Both)
        .summary("`rotate-rollout-workers` follows a rotation that waits for it.")
        .why(PHASES)
        .fix("Remove the operation, or write `rollout-workers=` to replace machines without a rotation.");
    GDN_OP_022 = Rule::error("GDN-OP-022", SHOOT, Both)
        .summary("`rotate-rollout-workers` names worker pools of the Shoot, each once.")
        .why(POOLS)
        .fix(NAMES);
    GDN_OP_023 = Rule::error("GDN-OP-023", SHOOT, Both)
        .summary("`rollout-workers` names worker pools of the Shoot, each once, or `*`, and none that is updated in place.")
        .why(POOLS)
        .fix(NAMES);
    GDN_OP_024 = Rule::error("GDN-OP-024", SHOOT, Both)
        .since(148)
        .summary("No operation replaces machines of a self-hosted Shoot that Gardener did not make.")
        .why("Gardener has no credentials of their cloud.")
        .fix("Remove the operation, and replace the machines yourself.");
}
