/** What verdicts cover, in words. */

import type { Upgrade } from "../check/upgrade.js";
import type { Scope } from "../documents.js";

/** What a verdict is by: the provider of the object, and what its answer covers. */
export interface Judged {
  provider?: string | undefined;
  scope?: Scope | undefined;
}

/** Rules as a scope names them, such as `provider-alicloud v1.72.0-dev`, of Gardener itself. */
function isGardeners(checked: string): boolean {
  return checked.startsWith("gardener ");
}

/** A version as people name it: `v1.72` of `provider-alicloud v1.72.0-dev`. */
function versionOf(checked: string): string {
  const version = checked.slice(checked.lastIndexOf(" ") + 1);
  return /^v\d+\.\d+/.exec(version)?.[0] ?? version;
}

/** Whose rules verdicts are by: "Gardener's rules (v1.150, structure, values, profile) and alicloud's (v1.72)". */
export function whoseRules(judged: Judged[]): string {
  const checked = judged.flatMap(({ provider, scope }) => (scope?.checked ?? []).map((entry) => ({ provider, entry })));
  const own = checked.find(({ entry }) => isGardeners(entry));
  const parts = new Set(judged.flatMap(({ scope }) => scope?.parts ?? []));
  const ofProviders = checked
    .filter(({ entry }) => !isGardeners(entry))
    .map(({ provider, entry }) => `${provider ? `${provider}'s` : entry}|(${versionOf(entry)})`);
  const all = [...(own ? [`Gardener's|(${[versionOf(own.entry), ...parts].join(", ")})`] : []), ...new Set(ofProviders)];
  const named = all.map((one, at) => one.replace("|", at === 0 ? " rules " : " "));
  return named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named.at(-1)}` : (named[0] ?? "");
}

/** The way of a Shoot to another version of Kubernetes, in a sentence. */
export function upgradeWords({ from, to, between }: Upgrade): string {
  const [first, last] = [between[0], between.at(-1)];
  const minors = between.length === 1 ? `${first} first` : `${first} ${between.length === 2 ? "and" : "to"} ${last}, one minor version after the other`;
  const steps = between.length === 0 ? "" : `; Gardener goes by ${minors}`;
  const order = from === "" ? 1 : to.localeCompare(from, "en", { numeric: true });
  if (order === 0) return `The Shoot has Kubernetes ${to} already: there is nothing to upgrade.`;
  if (order < 0) return `Judged as a downgrade from Kubernetes ${from} to ${to}, which Gardener refuses.`;
  return `Judged as an upgrade${from && ` from Kubernetes ${from}`} to ${to}${steps}.`;
}

/** What nobody checked, in a sentence or two. `isPreliminary`: Gardener's own rules are still to come. */
export function notChecked(judged: Judged[], isPreliminary: boolean): string[] {
  const left = [...new Set(judged.flatMap(({ scope }) => scope?.notChecked ?? []))];
  const others = left.filter((other) => other !== "gardener" || !isPreliminary);
  const words = others.map((other) => (other === "gardener" ? "what Gardener itself checks" : other));
  return [
    ...(isPreliminary ? ["Gardener's rules are not checked yet."] : []),
    ...(words.length > 0 ? [`Not checked: ${words.join(", ")}.`] : []),
  ];
}
