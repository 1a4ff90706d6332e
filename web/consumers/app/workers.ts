import type { Policy } from "trellis-policy";
import { trellis } from "trellis-policy/codemirror";

/** For the editor of a Shoot's workers alone; `permit` gets whether the whole Shoot may be submitted. */
export function workersHelp(policy: Policy, shoot: () => object, permit: (isFine: boolean) => void) {
  return trellis({
    policy,
    fragment: { at: "/spec/provider/workers", object: shoot },
    onCheck: (judgements) => {
      const isFine = judgements.every(({ verdict }) => verdict === "accept" || verdict === "undecided");
      permit(isFine && judgements.length > 0);
    },
  });
}
