import type { EditorView } from "@codemirror/view";
import type {
  Change,
  DefaultAnswer,
  ErrorAnswer,
  Finding,
  Info,
  PolicyRequest,
  RulesAnswer,
  Undecided,
  ValidateAnswer,
} from "../documents.js";
import type { Schemas } from "../json-schema.js";
import type { Range } from "../yaml/index.js";

type Soon<T> = T | Promise<T>;

/** A policy as `load` or `startWorker` gives it. The signal is aborted when nobody waits for the answer any more. */
export interface AnyPolicy {
  info(): Soon<Info | ErrorAnswer>;
  rules(): Soon<RulesAnswer | ErrorAnswer>;
  validate(request: string, options?: { signal?: AbortSignal | undefined }): Soon<ValidateAnswer | ErrorAnswer>;
  default(request: string, options?: { signal?: AbortSignal | undefined }): Soon<DefaultAnswer | ErrorAnswer>;
}

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
export type RequestParts = Pick<PolicyRequest, "oldObject" | "context" | "facts" | "ratchet">;

/** What becomes of one object of the text. */
export interface Judgement {
  /** Which document of the text, the first being 0, which also stands for all where the check failed. */
  document: number;
  /** The object as the policy was given it, before defaults; undefined where there was none to give. */
  object: unknown;
  /** Absent where the policy could not judge: `error` says why, if the object of the fragment was there. */
  verdict?: ValidateAnswer["verdict"];
  findings: PlacedFinding[];
  undecided: Undecided[];
  /** Defaults that were set before the rules were asked. */
  changes: Change[];
  /**
   * Why there is no verdict: what the policy answered, `Malformed` for a document that cannot be read, or `CheckFailed`
   * where the policy, the request or the object of the fragment could not be had.
   */
  error?: ErrorAnswer["error"];
}

/** A finding, which has no rule where it tells that defaults are refused. */
export interface PlacedFinding extends Omit<Finding, "rule"> {
  rule?: string;
  /** What to underline; absent where the finding is elsewhere than in the fragment that the editor shows. */
  range?: Range;
  /** The default that set what is wrong, where the person did not. */
  setBy?: Change;
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
  /** Whether defaults are set before the rules are asked, as the API server does; true by default. */
  defaults?: boolean | undefined;
}

export interface LintOptions extends CheckOptions {
  /** Milliseconds without typing before the text is checked; 300 by default. */
  delay?: number | undefined;
  /** Whether rules that cannot be judged from the text are shown as information; false by default. */
  undecided?: boolean | undefined;
  /**
   * Told of every check of the text that the editor still has, also of one that failed: all findings, also those that
   * are elsewhere than in its fragment. For a panel, or a button that waits until every verdict is `accept`. There are
   * no judgements where a text has no object of the policy's.
   */
  onCheck?: ((judgements: Judgement[], view: EditorView) => void) | undefined;
}

export interface HoverOptions {
  policy: Soon<AnyPolicy>;
  fragment?: Fragment | undefined;
  /**
   * JSON Schemas by kind, dereferenced, for what fields mean: those of the provider's configuration as `schemas` of
   * `trellis-policy/schema` gives them, and any others, such as that of a `Shoot`.
   */
  schemas?: Soon<Schemas> | undefined;
  /** Milliseconds that the pointer rests before the tooltip shows; 300 by default. */
  hoverTime?: number | undefined;
}
