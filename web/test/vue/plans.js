// Plans, as policies answer them.

const prefix = "shoot--dev--two-zones";

/** A resource that is to be made, unless `parts` say otherwise. */
export function resource(id, kind, name, needs, parts = {}) {
  return { id, kind, name, action: "create", needs, ...parts };
}

/** A plan of resources; each change of one has a step of its own. */
export function planOf(resources, { changes = {}, notes } = {}) {
  const changing = resources.filter(({ action }) => action !== undefined);
  const stepsOf = ({ id, action }) => (action === "adopt" ? [] : [`${id}/${action}`]);
  return {
    state: {},
    resources,
    changes: changing.map(({ id, kind, name, action, resourceId }) => ({
      id,
      action,
      kind,
      name,
      ...(resourceId && { resourceId }),
      steps: stepsOf({ id, action }),
      ...changes[id],
    })),
    steps: changing.flatMap((resource) =>
      stepsOf(resource).map((id) => ({
        id,
        call: { service: "vpc", action: `Do${resource.kind.replaceAll(" ", "")}`, parameters: {} },
        after: resource.needs.filter((need) => changing.some((other) => other.id === need)).map((need) => `${need}/create`),
      })),
    ),
    ...(notes && { notes }),
  };
}

const zone = (name, number, parts) => [
  resource(`zones/${name}/vswitch`, "VSwitch", `${prefix}-${name}-z${number}-nodes`, ["vpc"], parts.vswitch),
  resource(`zones/${name}/eip`, "elastic IP", `${prefix}-eip-natgw-z${number}`, [], { billed: true, ...parts.eip }),
];

const egress = (name, number, parts) => [
  resource(
    `zones/${name}/association`,
    "elastic IP association",
    `${prefix}-eip-natgw-z${number}`,
    ["natgateway", `zones/${name}/eip`],
    { action: "associate", ...parts.association },
  ),
  resource(
    `zones/${name}/snat`,
    "SNAT entry",
    `${prefix}-snat-z${number}`,
    ["natgateway", `zones/${name}/association`, `zones/${name}/vswitch`],
    parts.snat,
  ),
];

/** The network of a Shoot with two zones. */
export function twoZones(parts = {}, more) {
  const [a, b] = ["eu-central-1a", "eu-central-1b"];
  const of = (name) => parts[name] ?? {};
  return planOf(
    [
      resource("vpc", "VPC", `${prefix}-vpc`, [], of("vpc")),
      resource("role", "service-linked role", "AliyunServiceRoleForNatgw", [], { foreign: true, action: undefined, ...of("role") }),
      resource("securitygroup", "security group", `${prefix}-sg`, ["vpc"], of("securitygroup")),
      ...zone(a, 0, of(a)),
      ...zone(b, 1, of(b)),
      resource("natgateway", "NAT gateway", `${prefix}-natgw`, ["vpc", `zones/${a}/vswitch`, "role"], {
        billed: true,
        ...of("natgateway"),
      }),
      ...egress(a, 0, of(a)),
      ...egress(b, 1, of(b)),
    ],
    more,
  );
}

/** From nothing. */
export const fromNothing = twoZones(
  {},
  {
    changes: {
      vpc: { after: { cidrBlock: "10.250.0.0/16", description: "managed by Gardener", vpcId: null } },
      natgateway: { after: { name: `${prefix}-natgw`, natType: "Enhanced" } },
    },
  },
);

const there = (resourceId) => ({ action: undefined, resourceId });
const isThere = (letter) => ({
  vswitch: there(`vsw-${letter}`),
  eip: there(`eip-${letter}`),
  association: there(`eip-${letter}`),
  snat: there(`snat-${letter}`),
});
const shared = {
  vpc: there("vpc-1"),
  securitygroup: there("sg-1"),
  natgateway: there("ngw-1"),
  "eu-central-1a": isThere("a"),
};

/** Nothing to do. */
export const unchanged = twoZones({ ...shared, "eu-central-1b": isThere("b") });

/** The EIP of a zone becomes one that somebody else made. */
export const otherEip = twoZones(
  {
    ...shared,
    "eu-central-1b": {
      ...isThere("b"),
      eip: { action: "delete", resourceId: "eip-b" },
      association: { action: "replace", resourceId: "eip-b" },
      snat: { action: "update", resourceId: "snat-b" },
    },
  },
  {
    changes: {
      "zones/eu-central-1b/eip": {
        before: { ipAddress: "47.1.2.3" },
        disruption: "The address `47.1.2.3` is given back and cannot be had again.",
      },
      "zones/eu-central-1b/association": {
        before: { allocationId: "eip-b" },
        after: { allocationId: "eip-mine" },
        forcesReplacement: ["allocationId"],
        disruption: "Connections of the zone `eu-central-1b` to the outside break, and come from another address afterwards.",
      },
      "zones/eu-central-1b/snat": { before: { snatIp: "47.1.2.3" }, after: { snatIp: null } },
    },
    notes: [{ id: "vpc", attribute: "description", wanted: "managed by Gardener", found: "<img src=x onerror=alert(1)>" }],
  },
);

/** Fifty zones. */
export const fiftyZones = planOf([
  resource("vpc", "VPC", "shoot--dev--large-vpc", []),
  resource("natgateway", "NAT gateway", "shoot--dev--large-natgw", ["vpc", "zones/z-0/vswitch"], { billed: true }),
  ...Array.from({ length: 50 }, (_, at) => [
    resource(`zones/z-${at}/vswitch`, "VSwitch", `shoot--dev--large-z${at}-nodes`, ["vpc"]),
    resource(`zones/z-${at}/eip`, "elastic IP", `shoot--dev--large-eip-z${at}`, [], { billed: true }),
    resource(`zones/z-${at}/snat`, "SNAT entry", `shoot--dev--large-snat-z${at}`, ["natgateway", `zones/z-${at}/vswitch`, `zones/z-${at}/eip`]),
  ]).flat(),
]);

export const empty = planOf([]);

/** All steps of a plan in a state, save some. */
export const progressOf = (plan, state, others = {}) => ({
  ...Object.fromEntries(plan.steps.map(({ id }) => [id, state])),
  ...others,
});
