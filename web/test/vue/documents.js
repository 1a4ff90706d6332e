// Reviews of texts, as checkers give them.

/** Props of the findings panel. */
const document = (parts) => ({
  from: 0,
  to: 1000,
  line: 1,
  head: { from: 0, to: 10 },
  apiVersion: "core.gardener.cloud/v1beta1",
  kind: "Shoot",
  isUpdate: false,
  problems: [],
  secrets: [],
  ...parts,
});

const scope = { checked: ["gardener v1.150", "provider-alicloud v1.72.0-dev"], parts: ["structure"], notChecked: ["the seed"] };
const ruling = (verdict, findings = [], undecided = []) => ({ verdict, scope, findings, undecided, changes: [] });

export function finding(parts) {
  return {
    rule: "ALI-INF-003",
    severity: "error",
    type: "FieldValueInvalid",
    field: "spec.provider.infrastructureConfig.networks.zones[0].workers",
    pointer: "/spec/provider/infrastructureConfig/networks/zones/0/workers",
    badValue: "10.250.1.0/19",
    detail: "must be valid canonical CIDR",
    remedy: "write the first address of the range: `10.250.0.0/19`",
    range: { from: 10, to: 20 },
    line: 55,
    isFixable: false,
    isOfUpdate: false,
    ...parts,
  };
}

const cloudProfile = document({ kind: "CloudProfile", name: "alicloud", provider: "alicloud", ruling: ruling("accept") });

const fiveMistakes = document({
  from: 1000,
  line: 48,
  namespace: "garden-dev",
  name: "five-mistakes",
  provider: "alicloud",
  ruling: ruling(
    "reject",
    [
      finding({ fix: [], isFixable: true }),
      finding({
        rule: "ALI-INF-014",
        field: "networks.zones[1].workers",
        pointer: "/spec/provider/infrastructureConfig/networks/zones/1/workers",
        detail: "must be a subset of \"networking.nodes\" (\"10.250.0.0/17\")",
        remedy: "choose a range inside `10.250.0.0/17`, or make `spec.networking.nodes` larger",
        line: 57,
      }),
      finding({
        rule: "ALI-INF-016",
        field: "spec.networking.pods",
        pointer: "/spec/networking/pods",
        detail: "must not overlap with \"networks.vpc\" (\"10.250.0.0/16\")",
        remedy: "choose a range for pods outside the VPC, such as `100.96.0.0/11`",
        line: 86,
      }),
      finding({
        rule: "ALI-SHO-021",
        field: "spec.provider.workers[0].dataVolumes[0].size",
        pointer: "/spec/provider/workers/0/dataVolumes/0",
        detail: "volume size must be set",
        remedy: "set `size`, such as `50Gi`",
        line: 78,
        setBy: { rule: "GAR-DEF-007", pointer: "/spec", reason: "a data volume without a size has that of the system disk" },
      }),
      finding({
        rule: "ALI-WRK-030",
        severity: "warning",
        type: "Warning",
        field: "spec.provider.workers[0].volume.encrypted",
        pointer: "/spec/provider/workers/0/volume/encrypted",
        detail: "the disk is not encrypted",
        remedy: "leave `encrypted` out, and disks are encrypted",
        line: 76,
        isFixable: true,
      }),
    ],
    [
      {
        rule: "ALI-INF-040",
        why: "whether the VPC has room for another VSwitch is known to the cloud alone: the extension checks it on submit",
        query: { id: "1", paging: "pageNumber", call: { service: "vpc", action: "DescribeVSwitches", parameters: {} } },
      },
      { rule: "ALI-SEC-003", why: "the Secret is not here: the API server checks it on submit" },
    ],
  ),
});

export const mistakes = { documents: [cloudProfile, fiveMistakes] };

/** Objects that no policy has judged, each for a reason of its own, an update, and a policy that crashed. */
export const unjudged = {
  documents: [
    document({ kind: "Deployment", name: "web", skipped: { because: "kind", found: "Deployment" } }),
    document({ from: 10, name: "elsewhere", skipped: { because: "provider", found: "openstack" } }),
    document({ from: 20, name: "nameless", skipped: { because: "unnamed", found: "Shoot" } }),
    document({
      from: 30,
      line: 30,
      kind: undefined,
      problems: [
        {
          from: 31,
          to: 32,
          message: "Nested mappings are not allowed in compact mappings",
          remedy: "quote the value if it has `: ` in it, or check the indentation",
          readable: false,
        },
      ],
      skipped: { because: "unreadable", found: "" },
    }),
    document({
      from: 40,
      name: "crash",
      provider: "alicloud",
      ruling: {
        error: { code: "PolicyTrapped", message: "unreachable executed" },
        findings: [],
        undecided: [],
        changes: [],
      },
    }),
    document({
      from: 50,
      name: "slow",
      provider: "alicloud",
      ruling: { error: { code: "DeadlineExceeded", message: "no answer in 10 s" }, findings: [], undecided: [], changes: [] },
    }),
    document({
      from: 60,
      name: "changed",
      provider: "alicloud",
      isUpdate: true,
      ruling: ruling("reject", [
        finding({ rule: "ALI-UPD-001", field: "spec.region", pointer: "/spec/region", detail: "field is immutable", line: 64, isOfUpdate: true }),
      ]),
    }),
  ],
};

export const accepted = { documents: [cloudProfile] };

export const nothing = { documents: [] };

/** A document with that many findings, each of a rule of its own, or all of one rule with what else is given. */
export const many = (count, alike) => ({
  documents: [
    document({
      name: "many",
      provider: "alicloud",
      ruling: ruling(
        "reject",
        Array.from({ length: count }, (_, at) => finding({ rule: alike ? "ALI-INF-003" : `ALI-INF-${at}`, ...alike?.(at), pointer: `/spec/${at}`, field: `spec.workers[${at}]`, line: at + 1 })),
      ),
    }),
  ],
});

const same = (line, text, changes = []) => ({ state: "same", text, line, changes });
const added = (text, ...changes) => ({ state: "added", text, changes });

/** A text whose first defaults are in line 6; the second replaces a line. */
export const defaulted = {
  lines: [
    ...Array.from({ length: 20 }, (_, at) => same(at + 1, at === 0 ? "apiVersion: core.gardener.cloud/v1beta1" : `key${at}: value`)),
    same(21, "spec:"),
    same(22, "  provider:"),
    same(23, "    type: alicloud"),
    added("    workersSettings:", {
      rule: "GAR-DEF-011",
      pointer: "/spec/provider/workersSettings",
      reason: "SSH access to nodes is `enabled` where nothing is said of it",
    }),
    added("      sshAccess:"),
    added("        enabled: true"),
    { state: "removed", text: "    controlPlaneConfig: {}", line: 24, changes: [] },
    added("    controlPlaneConfig:"),
    added("      kind: ControlPlaneConfig", {
      rule: "ALI-DEF-002",
      pointer: "/spec/provider/controlPlaneConfig/kind",
      reason: "the provider has one kind of control plane alone",
    }),
    ...Array.from({ length: 30 }, (_, at) => same(at + 25, `other${at}: a value that is rather long and goes on and on for a while`)),
  ],
};

export const undefaulted = { lines: [same(1, "kind: Shoot"), same(2, "metadata:")] };

export const zones = {
  choice: { names: ["eu-central-1b", "eu-central-1c"], prefixLength: 19, shortest: 17, longest: 28 },
};
export const zonesPlanned = {
  ...zones,
  planned: { zones: [{ role: "zone", name: "eu-central-1b", cidr: "10.250.32.0/19", first: "10.250.32.0", last: "10.250.63.255", size: "8192" }] },
};
export const zonesWrong = { ...zones, error: "the zone `eu-central-1b` is not one of the region's" };
export const zonesFull = { choice: { names: ["eu-central-1b"], prefixLength: 19, longest: 28 } };
