import type { EditorView } from "@codemirror/view";
import type { PlacedFinding } from "../check/finding.js";
import type { Ruling } from "../check/join.js";
import type { AnyPolicy, Soon } from "../check/policy.js";
import type { PolicyRequest } from "../documents.js";
import type { Schemas } from "../json-schema.js";

/** Where the text of an editor belongs that shows a part of an object. */
export interface Fragment {
  /** JSON pointer to the part, such as `/spec/provider/workers`. */
  at: string;
  /**
   * The whole object, or its JSON text; the part in it is replaced by the text of the editor, and by null if that is
   * empty. Undefined while it is not there yet: `recheck` when it is.
   */
  object(): Soon<object | string | undefined>;
}

/** What goes with an object into the request. */
export type RequestParts = Pick<PolicyRequest, "oldObject" | "context" | "facts" | "now" | "ratchet">;

/**
 * What becomes of one object of the text. There is no verdict, but an error, where the policy could not judge: what it
 * answered, `Malformed` for a document that cannot be read, or `CheckFailed` where the policy, the request or the object
 * of the fragment could not be had; there is neither where the object of the fragment is not there, and for an object that
 * the policy does not judge.
 */
export interface Judgement extends Ruling {
  /** Which document of the text, the first being 0, which also stands for all where the check failed. */
  document: number;
  /** The object as the policy was given it, before defaults; undefined where there was none to give. */
  object: unknown;
  /** Present on an object that the policy does not judge: another provider's, or of another kind. */
  isOther?: boolean;
  /** Present on an object that is there already and was judged as an update of itself. */
  isOfItself?: boolean;
}

/** What is checked, and how. */
export interface CheckOptions {
  /** The policy, or a promise of it: until it is there, the editor has no findings. */
  policy: Soon<AnyPolicy>;
  /** For an editor that shows a part of an object. */
  fragment?: Fragment | undefined;
  /**
   * What the editor does not show: the object before an update, the CloudProfile, facts. Objects of the text that refer
   * to each other need not be given.
   */
  request?: ((object: unknown) => Soon<RequestParts | undefined>) | undefined;
  /**
   * Whether an object with a `metadata.uid`, which is there already, is judged as a new one;
   * false by default: without an old object, it is judged as an update of itself.
   */
  create?: boolean | undefined;
  /** Whether defaults are set before the rules are asked, as the API server does; true by default. */
  defaults?: boolean | undefined;
}

export interface LintOptions extends CheckOptions {
  /** Milliseconds without typing before the text is checked; 300 by default. */
  delay?: number | undefined;
  /** Whether rules that cannot be judged from the text are shown as information; false by default. */
  undecided?: boolean | undefined;
  /**
   * Called with every check of the text that the editor still has, also of one that failed: all findings, also those that
   * are elsewhere than in its fragment. For a panel, or a button that waits until every verdict is `accept`.
   */
  onCheck?: ((judgements: Judgement[], view: EditorView) => void) | undefined;
}

export interface HoverOptions {
  policy: Soon<AnyPolicy>;
  fragment?: Fragment | undefined;
  /**
   * JSON Schemas by kind, dereferenced, for what fields mean: those of the provider's configuration as `schemas` of
   * `trellis-policy/schema` gives them, and any others. A Shoot, CloudProfile or NamespacedCloudProfile has Gardener's own, if
   * none is given.
   */
  schemas?: Soon<Schemas> | undefined;
  /** Milliseconds that the pointer rests before the tooltip shows; 300 by default. */
  hoverTime?: number | undefined;
}

/** The names of the options. */
export const HOVER_OPTIONS: Record<keyof HoverOptions, true> = { policy: true, fragment: true, schemas: true, hoverTime: true };
export const LINT_OPTIONS: Record<keyof LintOptions, true> = {
  policy: true,
  fragment: true,
  request: true,
  create: true,
  defaults: true,
  delay: true,
  undecided: true,
  onCheck: true,
};
