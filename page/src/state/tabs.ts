/** Which panels have something to say of a text. */

import { infrastructures, isProvider, rendered } from "trellis-policy";
import { computed, type Ref, shallowRef, watch } from "vue";
import type { Review, ReviewedDocument } from "trellis-policy/checker";
import type { Reviewing } from "./review.js";
import type { PanelName } from "./workspace.js";

/** Those that every text has. */
const ALWAYS: PanelName[] = ["findings", "defaults"];

interface Sources {
  review: Ref<Review | undefined>;
  panel: Ref<PanelName>;
  /** Whether there is something in the simulated cloud, which the plan lists. */
  hasCloud: Ref<boolean>;
  /** Whether the text that was reviewed took the place of another one, and was not typed. */
  isFresh: () => boolean;
}

/** The panels that are there. Where one goes that is open, the findings are. */
export function useTabs({ review, panel, hasCloud, isFresh }: Sources) {
  // What a tab remembers to be open is there until its text is known.
  const tabs = shallowRef<ReadonlySet<PanelName>>(new Set([...ALWAYS, panel.value]));
  watch(panel, (now) => {
    if (!review.value) tabs.value = new Set([...ALWAYS, now]);
  });
  watch([review, hasCloud], () => {
    if (!review.value) return;
    const { documents } = review.value;
    // A word that is half typed takes no panel away, nor does what cannot be read yet.
    const isHalf = documents.length === 0 || documents.some(isUnread) || (!isFresh() && documents.some(isForeign));
    const found = new Set([...ALWAYS, ...panelsOf(documents), ...(hasCloud.value ? ["plan" as const] : []), ...(isHalf ? tabs.value : [])]);
    if (found.size !== tabs.value.size || [...found].some((name) => !tabs.value.has(name))) tabs.value = found;
    if (!found.has(panel.value)) panel.value = "findings";
  });
  return tabs;
}

/** Which panels have their part of the review: what only one of them shows is asked for when it is open. */
export function useAnswered({ reviewed }: Reviewing) {
  return computed<Record<PanelName, boolean>>(() => {
    const { showDefaults: defaults = false, addresses = false, plans = false, rollouts = false, manifests = false } = reviewed.value;
    return { findings: true, defaults, addresses, plan: plans && rollouts, manifests: manifests && rollouts };
  });
}

/** What a review is asked for, besides what it always says. */
export function askedFor(panel: PanelName) {
  return { showDefaults: panel === "defaults", addresses: panel === "addresses", plans: panel === "plan", rollouts: panel === "plan" || panel === "manifests", manifests: panel === "manifests" };
}

/** The panels of the Shoots, by what Trellis does for their providers. */
function panelsOf(documents: ReviewedDocument[]): PanelName[] {
  const shoots = documents.filter(({ kind }) => kind === "Shoot");
  const isOf = (providers: readonly string[]): boolean => shoots.some(({ provider }) => provider !== undefined && providers.includes(provider));
  return [
    ...(shoots.some(({ provider }) => isProvider(provider)) ? ["addresses" as const] : []),
    ...(isOf(infrastructures) ? ["plan" as const] : []),
    ...(isOf(rendered) ? ["manifests" as const] : []),
  ];
}

/** Whether nobody knows yet what an object is to be. */
function isUnread({ kind, problems, skipped }: ReviewedDocument): boolean {
  return kind === undefined || skipped?.because === "unnamed" || problems.some(({ readable }) => !readable);
}

/** Whether an object is of a kind or a provider that Trellis does not know, which may still be typed. */
function isForeign({ skipped }: ReviewedDocument): boolean {
  return skipped?.because === "kind" || skipped?.because === "provider";
}
