/** Links to findings: the address of a finding, and the finding that an address leads to. */

import { type Review, type ReviewedDocument, type ReviewedFinding, unfolded } from "trellis-policy/checker";
import type { LinkedFinding } from "./address.js";

/** What identifies a finding of a review. */
export function linkTo(review: Review, document: ReviewedDocument, { rule = "", pointer }: ReviewedFinding): LinkedFinding {
  return { document: review.documents.indexOf(document), rule, pointer };
}

/** The finding that is meant, if it has a card. */
export function findingAt({ documents }: Review, { document: index, rule, pointer }: LinkedFinding) {
  const document = documents[index];
  const finding = unfolded(document?.ruling?.findings ?? []).find((one) => (one.rule ?? "") === rule && one.pointer === pointer);
  return document && finding ? { document, finding } : undefined;
}
