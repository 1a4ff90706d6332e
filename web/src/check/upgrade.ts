/** What must change before a Shoot goes to another version of Kubernetes. */

import type { DefaultAnswer, ErrorAnswer, Json, PatchOperation } from "../documents.js";
import { patchJson } from "../yaml/patch.js";
import { isObject, member } from "./objects.js";

/** An upgrade that a person looks at in advance. */
export interface Upgrade {
  /** The version of the Shoot; empty where nobody knows it. */
  from: string;
  /** The version to which it goes. */
  to: string;
  /** The minor versions between, such as `1.34`: Gardener takes one after the other. */
  between: string[];
}

/** A minor version of Kubernetes, of which the newest supported patch counts, or a patch of it. */
const TARGET = /^v?(1\.\d{1,4})(\.\d{1,4})?$/;

/** A target as versions are written: `1.35`, or `1.35.2`; nothing where a text is none. */
export function targetOf(text: string): string | undefined {
  const [, minor, patch = ""] = TARGET.exec(text) ?? [];
  return minor && `${minor}${patch}`;
}

/**
 * A stored Shoot, as JSON text, with the version of a target. Without a profile, nobody knows the patches of a minor version: the first
 * one counts. `complete` sets Gardener's defaults on an update of the stored Shoot.
 */
export async function withTarget(
  stored: string,
  target: string,
  complete: (object: string) => Promise<DefaultAnswer | ErrorAnswer>,
): Promise<string> {
  const wanted = withVersion(stored, target);
  if (isWhole(target)) return wanted;
  const answer = await complete(wanted);
  const chosen = "error" in answer ? "" : versionOf(patchJson(wanted, answer.patch) ?? wanted);
  return withVersion(stored, isWhole(chosen) ? chosen : `${target}.0`);
}

/**
 * A stored Shoot after the next `kubectl apply` of its manifest, both as JSON texts: without what the manifest takes away by `null`,
 * and with what it has and the API server took away before.
 */
export function asApplied(stored: string, written: string): string {
  const changes: PatchOperation[] = [];
  const visit = (here: unknown, there: unknown, path: string): void => {
    if (Array.isArray(here) && Array.isArray(there)) {
      if (here.length === there.length) here.forEach((entry, at) => visit(entry, there[at], `${path}/${at}`));
    } else if (isObject(here) && isObject(there)) {
      for (const [key, value] of Object.entries(here)) {
        const place = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        const isStored = Object.hasOwn(there, key);
        if (value !== null && isStored) visit(value, member(there, key), place);
        else if (value !== null) changes.push({ op: "add", path: place, value: value as Json });
        else if (isStored) changes.push({ op: "remove", path: place });
      }
    }
  };
  visit(JSON.parse(written), JSON.parse(stored), "");
  return changes.length === 0 ? stored : (patchJson(stored, changes) ?? stored);
}

/** Whether an object can go to another version of Kubernetes: it is a Shoot, and no version in it is of another type. */
export function canUpgrade(object: unknown): boolean {
  const version = member(member(member(object, "spec"), "kubernetes"), "version");
  return member(object, "kind") === "Shoot" && (version === undefined || typeof version === "string");
}

/** The way from one Shoot to another, both JSON texts. */
export function upgradeOf(old: string, object: string): Upgrade {
  const [from, to] = [versionOf(old), versionOf(object)];
  return { from, to, between: between(from, to) };
}

function isWhole(version: string): boolean {
  return version.split(".").length === 3;
}

function versionOf(shoot: string): string {
  const version = member(member(member(JSON.parse(shoot), "spec"), "kubernetes"), "version");
  return typeof version === "string" ? version : "";
}

/** A Shoot with another version; the same where it has no place for one. */
function withVersion(shoot: string, version: string): string {
  const spec = member(JSON.parse(shoot), "spec");
  const kubernetes = member(spec, "kubernetes");
  const add = (path: string, value: Json) => patchJson(shoot, [{ op: "add" as const, path, value }]) ?? shoot;
  if (isObject(kubernetes)) return add("/spec/kubernetes/version", version);
  return isObject(spec) && kubernetes === undefined ? add("/spec/kubernetes", { version }) : shoot;
}

function between(from: string, to: string): string[] {
  const [first = Number.NaN, last = Number.NaN] = [from, to].map((version) => Number(/^1\.(\d{1,4})(?:\.|$)/.exec(version)?.[1]));
  return last > first + 1 ? Array.from({ length: last - first - 1 }, (_, at) => `1.${first + 1 + at}`) : [];
}
