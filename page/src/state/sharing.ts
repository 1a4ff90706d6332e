/** Addresses of what is there now, to be pasted elsewhere. */

import type { ReviewedDocument, ReviewedFinding } from "trellis-policy/checker";
import { strings } from "../strings.js";
import { addressOfFinding, isOfExample } from "./address.js";
import { linkTo } from "./link.js";
import type { Reviewing } from "./review.js";
import type { Workspace } from "./workspace.js";

interface Page {
  reviewing: Reviewing;
  workspace: Workspace;
  notify: (text: string) => void;
}

export function useSharing({ reviewing: { review, state }, workspace, notify }: Page) {
  async function copy(of: (address: string) => string, done: (isExample: boolean) => string): Promise<void> {
    const address = await workspace.address();
    if (address === "") return notify(strings.unshared[workspace.secrecy.value]);
    try {
      await navigator.clipboard.writeText(new URL(of(address), location.href).href);
      notify(done(isOfExample(address)));
    } catch {
      notify(strings.shareFailed);
    }
  }

  /** Copies an address that opens what is there now, and leads to a finding of it. */
  async function link(document: ReviewedDocument, finding: ReviewedFinding): Promise<void> {
    if (state.value === "checking" || !review.value) return notify(strings.unshared.pending);
    const to = linkTo(review.value, document, finding);
    await copy((address) => addressOfFinding(address, to), strings.linked);
  }

  return { link, share: () => copy((address) => address, strings.shared) };
}
