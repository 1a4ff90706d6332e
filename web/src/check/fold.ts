/** Findings that follow from others are shown below these. */

import type { FindingCause } from "../documents.js";

/** What folding reads of a finding. */
interface Foldable {
  rule?: string;
  pointer: string;
  causedBy?: FindingCause;
}

/** The findings that follow from no other one of them. */
export function unfolded<F extends Foldable>(findings: readonly F[]): F[] {
  return findings.filter((finding) => causeOf(finding, findings) === undefined);
}

/** The findings that follow from one of them. */
export function followersOf<F extends Foldable>(cause: F, findings: readonly F[]): F[] {
  return findings.filter((finding) => causeOf(finding, findings) === cause);
}

function causeOf<F extends Foldable>({ causedBy }: F, findings: readonly F[]): F | undefined {
  if (!causedBy) return undefined;
  return findings.find((other) => !other.causedBy && other.rule === causedBy.rule && other.pointer === causedBy.pointer);
}
