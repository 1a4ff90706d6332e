/** What `check` is asked. */

import type { Fact } from "../documents.js";
import { shown } from "../errors.js";
import { targetOf } from "./upgrade.js";

/** What is checked. Objects are objects or their JSON text, which keeps duplicate keys and the spelling of numbers. */
export interface CheckRequest {
  /** An object, or a list of them, such as a `List` or a `ShootList`, which is judged item by item. */
  object: object | string;
  /** The object before the update; absent where the object is new. Of a list, a list: items are paired by API group, kind, namespace and name. */
  oldObject?: object | string | undefined;
  /** What the object refers to, by role, such as `cloudProfile`. */
  context?: CheckContext | undefined;
  /** Answers to the queries of an earlier answer. */
  facts?: Fact[] | undefined;
  /** The provider of an object that names none. */
  provider?: string | undefined;
  /**
   * Whether `kubectl apply` sends the object, so that what it leaves out stays as it is in `oldObject`. Without this, the object
   * replaces the old one, as where a form sends all of it.
   */
  apply?: boolean | undefined;
  /** Whether an object with a uid and without an `oldObject` is a new one. Without this, it is its own old object. */
  create?: boolean | undefined;
  /**
   * The version of the garden's Gardener, such as `1.147.2`: its rules, fields and defaults count. Without it, those of the newest
   * version that the policy knows, and a finding that an older one would not have says in `since` which one brought it.
   */
  gardenerVersion?: string | undefined;
  /**
   * The version of Kubernetes to which a Shoot is to go: `1.35`, of which the newest patch counts that the profile supports, or `1.35.2`.
   * The answer says what must change before. There is no `oldObject` next to it.
   */
  kubernetes?: string | undefined;
  /** The time of the check, for rules that know time; the current time by default. */
  now?: Date | string | undefined;
  /**
   * The garden's OpenAPI document, or what `openapiNames` makes of it: then unknown fields are errors, and those of a newer
   * Gardener are none.
   */
  openapi?: object | undefined;
}

/** What an object refers to, by role. Each is an object, or its JSON text. */
export interface CheckContext {
  /**
   * The CloudProfile or the NamespacedCloudProfile that a Shoot names; the parent of a NamespacedCloudProfile. A CloudProfile may also
   * have the form `{ metadata, data }` that older backends of the Gardener dashboard send.
   */
  cloudProfile?: object | string | null | undefined;
  /** The CloudProfile on which a NamespacedCloudProfile in `cloudProfile` is built, where that has no `status` yet. */
  parentCloudProfile?: object | string | null | undefined;
  /** The SecretBinding that a Shoot names. */
  secretBinding?: object | string | null | undefined;
  /** The CredentialsBinding that a Shoot names. */
  credentialsBinding?: object | string | null | undefined;
  /** The Project of a Shoot's namespace. */
  project?: object | string | null | undefined;
  /** The Secret that a binding names. */
  secret?: object | string | null | undefined;
  /** Objects of the cluster that a rule of a binding or of a Shoot looks for. */
  objects?: object[] | null | undefined;
  /** How the operators of the garden configure the admission of the extension. */
  settings?: object | null | undefined;
  /** The feature gates of the garden's API server. */
  featureGates?: { [gate: string]: boolean } | null | undefined;
  /** Whether the extension gives a network of that type, such as `calico`, an overlay by default. */
  overlayDefaults?: { [network: string]: boolean } | null | undefined;
  /** The subresource to which the object is sent, such as `status`. */
  subresource?: string | null | undefined;
}

/** The members of a request. */
const MEMBERS = ["object", "oldObject", "context", "facts", "provider", "apply", "create", "gardenerVersion", "kubernetes", "now", "openapi"];

/** The types of members that have one. */
const TYPES = { provider: "string", apply: "boolean", create: "boolean", gardenerVersion: "string", kubernetes: "string" } as const;

/** What is wrong with a request, whatever the types say. */
export function wrongIn(request: CheckRequest): string | undefined {
  if (typeof request !== "object" || request === null) {
    return `what is to be checked is an object such as \`{ object }\`, not ${shown(request)}`;
  }
  const unknown = Object.keys(request).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return `there is no member \`${unknown}\`; there are ${MEMBERS.join(", ")}`;
  if (request.object === undefined) return "`object` is missing: give what is to be checked";
  for (const name of Object.keys(TYPES) as (keyof typeof TYPES)[]) {
    const value: unknown = request[name];
    if (value !== undefined && typeof value !== TYPES[name]) return `\`${name}\` is a ${TYPES[name]}, not ${shown(value)}`;
  }
  const { facts, openapi, kubernetes, now } = request;
  if (facts !== undefined && !Array.isArray(facts)) return `\`facts\` is a list of answers to queries, not ${shown(facts)}`;
  if (openapi !== undefined && (typeof openapi !== "object" || openapi === null)) {
    return `\`openapi\` is an OpenAPI document or what \`openapiNames\` makes of it, not ${shown(openapi)}`;
  }
  if (request.apply === true && request.oldObject === undefined) return "`apply` is about a change: give the object that is there as `oldObject`";
  if (kubernetes !== undefined && targetOf(kubernetes) === undefined) {
    return `\`kubernetes\` is a version such as \`1.35\` or \`1.35.2\`, not ${shown(kubernetes)}`;
  }
  if (kubernetes !== undefined && request.oldObject !== undefined) {
    return "with `kubernetes`, a Shoot is judged as an update of itself: leave out `oldObject`";
  }
  const isTime = now === undefined || (typeof now === "string" || now instanceof Date) && !Number.isNaN(new Date(now).getTime());
  return isTime ? undefined : `\`now\` is a time such as \`2026-06-01T00:00:00Z\`, not ${shown(now)}`;
}
