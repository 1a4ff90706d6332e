/** What clouds call the parts of a network, and what each of them says of its addresses. */

import type { AddressRole } from "../documents.js";

/** The network of a Shoot, in the words of its cloud. */
const NETWORKS: Record<string, string> = { azure: "VNet", gcp: "VPC network", openstack: "Network" };

/** The network that has the others inside: "VPC", in the words of the cloud of a provider. */
export function networkWord(provider: string | undefined): string {
  return NETWORKS[provider ?? ""] ?? "VPC";
}

/** The same within a sentence. */
export function networkInSentence(provider: string | undefined): string {
  return provider === "openstack" ? "network" : networkWord(provider);
}

const ROLES: Record<Exclude<AddressRole, "vpc">, string> = {
  nodes: "Nodes",
  zone: "Zone",
  workers: "Worker subnet",
  public: "Public subnet",
  internal: "Internal subnet",
  pods: "Pods",
  services: "Services",
  reserved: "Reserved by the cloud",
};

const SHORT: Partial<Record<AddressRole, string>> = { workers: "Workers", public: "Public", internal: "Internal", reserved: "Reserved" };

/** What a range is for, where there is room for it, and where there is little. */
export function roleWord(role: AddressRole, provider: string | undefined): string {
  return role === "vpc" ? networkWord(provider) : ROLES[role];
}
export function shortRoleWord(role: AddressRole, provider: string | undefined): string {
  return SHORT[role] ?? roleWord(role, provider);
}

/** A range as sentences name it, such as "pods `10.96.0.0/11`". */
export interface NamedRange {
  role: AddressRole;
  name: string | undefined;
  cidr: string;
  /** The provider of the object, whose cloud has words of its own. */
  provider?: string | undefined;
}

export function namedRange({ role, name, cidr, provider }: NamedRange): string {
  if (role === "zone") return `zone ${name ? `\`${name}\` ` : ""}\`${cidr}\``;
  const of = name ? ` of zone \`${name}\`` : "";
  const words: Partial<Record<AddressRole, string>> = {
    vpc: `the ${networkInSentence(provider)}`,
    workers: "the worker subnet",
    public: `the public subnet${of}`,
    internal: `the internal subnet${of}`,
    reserved: "what the cloud reserves",
  };
  return `${words[role] ?? role} \`${cidr}\``;
}

/** Who chooses the ranges of IPv6 that no manifest names, and when. */
const IPV6: Record<string, string> = {
  aws:
    "AWS assigns these ranges when Gardener creates the network: a `/56` to the VPC, from Amazon's addresses or from the pool under " +
    "`networks.vpc.ipv6IpamPool`, and a `/64` of it to each subnet. A VPC that is there already has its range.",
  gcp:
    "Google Cloud assigns these ranges when Gardener creates the subnets: a `/64` to the subnet of the nodes, of which each node gets " +
    "a `/96`, and a range to a subnet for services.",
  openstack:
    "OpenStack assigns these ranges, for nodes, pods and services, when Gardener creates the network: from the subnet pool " +
    "`networks.ipv6.subnetPoolID`, unless `networks.ipv6` names them.",
};

export function assignedIpv6(provider: string | undefined): string {
  return IPV6[provider ?? ""] ?? "The Shoot has addresses of IPv6. No range of them is in the manifest, and the policy names none.";
}
