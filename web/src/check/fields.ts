/** The fields that a finding is about, where it is at the object around them. */

import type { PlacedFinding } from "./finding.js";

/** Rules of which several fields are the matter, and these, from the place of the finding on. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "ALI-INF-011": ["/id", "/cidr"],
  "AWS-INF-012": ["/workers", "/workersSubnetID"],
  "AWS-INF-030": ["/id", "/cidr"],
  "AWS-INF-031": ["/id", "/cidr"],
  "AZ-INF-020": ["", "/../zones"],
  "GDN-SPEC-004": ["", "/../credentialsBindingName"],
  "OS-INF-002": ["", "/../subnetPool"],
  "OS-INF-016": ["/subnetPoolID", "/nodeCIDR", "/podCIDR", "/serviceCIDR"],
  "OS-SHOOT-013": ["/networks/ipv6/subnetPoolID", "/networks/ipv6/nodeCIDR"],
};

/** The pointers of the fields where a form may show a finding; nothing where the place of the finding is the only one. */
export function fieldsOf({ rule = "", pointer }: Pick<PlacedFinding, "rule" | "pointer">): string[] | undefined {
  return FIELDS[rule]?.map((field) => `${pointer}${field}`.replace(/\/[^/]+\/\.\./, ""));
}
