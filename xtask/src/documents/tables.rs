//! Which types the host has.

use super::{File, Type};

/// A type whose values can be compared.
pub(super) const PLAIN: Type = Type {
    schemas: &[],
    name: "",
    derives: "Clone, Debug, PartialEq, Eq, Deserialize, Serialize",
    lacks: &[],
    optional: &[],
    empty: &[],
    handed_on: &[],
    parsed: &[],
    objects: &[],
    unread: &[],
};
/// A type with a default.
const BLANK: Type = Type { derives: "Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize", ..PLAIN };
/// A type with JSON text as a policy wrote it.
const VERBATIM: Type = Type { derives: "Clone, Debug, Deserialize, Serialize", ..PLAIN };
/// An answer with what no log shows, because it may hold credentials.
const SECRET: Type = Type { derives: "Clone, Deserialize", ..PLAIN };
/// A request with what no log shows.
const SECRET_REQUEST: Type = Type { derives: "Clone, Deserialize, Serialize", ..PLAIN };
/// One of some words.
const WORD: Type = Type { derives: "Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize", ..PLAIN };

pub(super) const POLICIES: File = File {
    path: "host/policies/src/answer/generated.rs",
    about: "The answers of a policy, as far as the host looks into them.",
    imports: "\
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{Section, present};
",
    others: &["Section"],
    types: &[
        Type { schemas: &["Severity"], name: "Severity", ..WORD },
        Type { schemas: &["Verdict"], name: "Verdict", ..WORD },
        Type {
            schemas: &["InfoAnswer"],
            name: "Info",
            lacks: &["provider", "version", "parity", "functions", "reads", "calls"],
            unread: &["scope", "kinds", "webhooks"],
            ..BLANK
        },
        Type { schemas: &["PlannedKind"], name: "PlannedKind", ..PLAIN },
        Type { schemas: &["ValidateAnswer"], name: "Validation", lacks: &["undecided", "scope"], ..VERBATIM },
        Type {
            schemas: &["Finding", "SourcedFinding"],
            name: "Finding",
            optional: &["rule", "fix"],
            empty: &["source", "summary"],
            ..VERBATIM
        },
        Type { schemas: &["FindingCause"], name: "FindingCause", ..PLAIN },
        Type { schemas: &["PatchOperation"], name: "PatchOperation", ..VERBATIM },
        Type { schemas: &["Undecided", "SourcedUndecided"], name: "Undecided", empty: &["source"], ..VERBATIM },
        Type { schemas: &["Scope"], name: "Scope", ..BLANK },
        Type { schemas: &["FailureCause"], name: "Failure", optional: &["fix"], ..PLAIN },
        Type {
            schemas: &["DefaultAnswer"],
            name: "Defaulting",
            lacks: &["changes", "undecided"],
            handed_on: &["patch"],
            ..VERBATIM
        },
        Type { schemas: &["DefaultChange", "SourcedChange"], name: "DefaultChange", empty: &["source"], ..PLAIN },
        Type { schemas: &["MergeAnswer"], name: "Merged", handed_on: &["patch"], ..VERBATIM },
        Type { schemas: &["JoinAnswer"], name: "Joined", lacks: &["scope"], ..VERBATIM },
        Type {
            schemas: &["MutateAnswer"],
            name: "Mutation",
            lacks: &["findings", "undecided"],
            handed_on: &["patch"],
            unread: &["object"],
            ..SECRET
        },
        Type { schemas: &["RulesAnswer"], name: "Rules", ..PLAIN },
        Type { schemas: &["Rule"], name: "Rule", ..PLAIN },
        Type { schemas: &["Operation"], name: "RuleOperation", ..WORD },
        Type { schemas: &["Effect"], name: "Effect", ..WORD },
        Type { schemas: &["RuleWords"], name: "RuleWords", ..PLAIN },
        Type { schemas: &["AddressesAnswer"], name: "Addresses", ..PLAIN },
        Type { schemas: &["AddressSpace"], name: "AddressSpace", ..PLAIN },
        Type { schemas: &["AddressRange"], name: "AddressRange", ..PLAIN },
        Type { schemas: &["AddressGap"], name: "AddressGap", ..PLAIN },
        Type { schemas: &["AddressConflict"], name: "AddressConflict", ..PLAIN },
        Type { schemas: &["UnreadableRange"], name: "UnreadableRange", ..PLAIN },
        Type { schemas: &["ZoneChoice"], name: "ZoneChoice", ..PLAIN },
        Type { schemas: &["ZonesAnswer"], name: "AddedZones", lacks: &["undecided"], ..VERBATIM },
        Type { schemas: &["RolloutAnswer"], name: "Rollout", lacks: &["undecided"], ..VERBATIM },
        Type { schemas: &["PoolRollout"], name: "PoolRollout", ..VERBATIM },
        Type { schemas: &["NodeChange"], name: "NodeChange", ..WORD },
        Type {
            schemas: &["RenderAnswer"],
            name: "Rendering",
            derives: "Clone, Default, Deserialize",
            lacks: &["findings", "undecided"],
            optional: &["managedResources"],
            parsed: &["secrets"],
            ..SECRET
        },
        Type {
            schemas: &["ManagedResource"],
            name: "ManagedResource",
            lacks: &["annotations", "spec"],
            optional: &["secret"],
            objects: &["spec"],
            ..SECRET
        },
        Type { schemas: &["ManifestSecret"], name: "ManifestSecret", ..PLAIN },
        Type { schemas: &["ObjectName"], name: "ObjectName", empty: &["namespace"], ..PLAIN },
        Type { schemas: &["Restart"], name: "Restart", empty: &["namespace"], ..PLAIN },
        Type {
            schemas: &["WorkersAnswer"],
            name: "Machines",
            lacks: &["findings", "undecided"],
            optional: &["machineDeployments", "objects"],
            objects: &["machineDeployments"],
            unread: &["pools", "providerStatus"],
            ..SECRET
        },
    ],
};

pub(super) const RUNNER: File = File {
    path: "host/runner/src/document/generated.rs",
    about: "The documents of `plan`, `status` and `classify`.",
    imports: "\
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use trellis_policies::answer::{Finding, present};

use super::Argument;
",
    others: &["Argument", "Finding"],
    types: &[
        Type {
            schemas: &["PlanAnswer"],
            name: "Planning",
            derives: "Clone, Debug, Default, Deserialize, Serialize",
            ..VERBATIM
        },
        Type { schemas: &["Plan"], name: "Plan", lacks: &["state", "resources", "changes", "steps"], ..BLANK },
        Type { schemas: &["Gone"], name: "Gone", ..PLAIN },
        Type { schemas: &["PlannedResource"], name: "PlannedResource", lacks: &["needs"], ..PLAIN },
        Type {
            schemas: &["Action"],
            name: "Action",
            derives: "Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize",
            ..WORD
        },
        Type {
            schemas: &["ResourceChange"],
            name: "Change",
            lacks: &["steps"],
            optional: &["before", "after"],
            ..PLAIN
        },
        Type { schemas: &["Note"], name: "Note", ..PLAIN },
        Type { schemas: &["Afterwards"], name: "Afterwards", ..WORD },
        Type { schemas: &["Step"], name: "Step", lacks: &["after"], ..BLANK },
        Type { schemas: &["Probe"], name: "Probe", ..PLAIN },
        Type { schemas: &["Item"], name: "Item", ..PLAIN },
        Type { schemas: &["Condition"], name: "Condition", ..PLAIN },
        Type { schemas: &["Query"], name: "Query", ..PLAIN },
        Type { schemas: &["Call"], name: "Call", lacks: &["parameters"], ..BLANK },
        Type { schemas: &["Paging"], name: "Paging", ..PLAIN },
        Type { schemas: &["NextPage"], name: "NextPage", ..PLAIN },
        Type { schemas: &["PageMarker"], name: "PageMarker", ..PLAIN },
        Type { schemas: &["StatusAnswer"], name: "SubjectStatus", optional: &["egressCIDRs"], ..VERBATIM },
        Type { schemas: &["Ingress"], name: "Ingress", ..PLAIN },
        Type { schemas: &["ClassifyAnswer"], name: "Classification", lacks: &["codes"], ..PLAIN },
        Type { schemas: &["Outcome"], name: "Outcome", ..WORD },
        Type { schemas: &["PlanSubject"], name: "SubjectRequest", lacks: &["cluster"], ..SECRET_REQUEST },
        Type {
            schemas: &["Cluster"],
            name: "Cluster",
            derives: "Clone, Default, Deserialize, Serialize",
            ..SECRET_REQUEST
        },
        Type { schemas: &["PlanOperation"], name: "Operation", ..WORD },
        Type { schemas: &["Consent"], name: "Consent", ..WORD },
    ],
};
