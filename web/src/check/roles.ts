/** The roles of a context: what an object refers to. */

import type { ErrorAnswer } from "../documents.js";
import { failure, shown } from "../errors.js";
import { isObject } from "./objects.js";

/** The roles, and the kinds of object that each has; other values have none. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  cloudProfile: ["CloudProfile", "NamespacedCloudProfile"],
  credentialsBinding: ["CredentialsBinding"],
  featureGates: [],
  objects: [],
  overlayDefaults: [],
  parentCloudProfile: ["CloudProfile"],
  project: ["Project"],
  secret: ["Secret", "InternalSecret"],
  secretBinding: ["SecretBinding"],
  settings: [],
  subresource: [],
};

/** The kinds of object that a role has; none where its value has no kind. */
export function kindsOf(role: string): readonly string[] {
  return (Object.hasOwn(ROLES, role) ? ROLES[role] : undefined) ?? [];
}

const areFlags = (value: unknown): boolean => isObject(value) && Object.values(value).every((one) => typeof one === "boolean");

/** What the value of a role without kinds is. */
const SHAPES: Readonly<Record<string, readonly [is: (value: unknown) => boolean, words: string]>> = {
  featureGates: [areFlags, "an object of booleans by gate"],
  objects: [(value) => Array.isArray(value) && value.every(isObject), "a list of objects"],
  overlayDefaults: [areFlags, "an object of booleans by network type"],
  settings: [isObject, "an object"],
  subresource: [(value) => typeof value === "string", "a text such as `status`"],
};

/** What there is of a context, by role; an error where somebody gives no context, or misspells a role. */
export function rolesIn(context: unknown = {}): [string, unknown][] | ErrorAnswer {
  if (!isObject(context)) {
    return failure("Malformed", `\`context\` is an object of objects by role, such as \`{ cloudProfile }\`, not ${shown(context)}`);
  }
  const given = Object.entries(context);
  const unknown = given.find(([role]) => !Object.hasOwn(ROLES, role));
  if (unknown) return failure("Malformed", `\`context\` has no member \`${unknown[0]}\`; there are ${Object.keys(ROLES).join(", ")}`);
  const found = given.filter(([, value]) => value !== undefined && value !== null);
  for (const [role, value] of found) {
    const [is, words] = SHAPES[role] ?? [];
    if (is && !is(value)) return failure("Malformed", `\`context.${role}\` is ${words}, not ${shown(value)}`);
  }
  return found;
}
