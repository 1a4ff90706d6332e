/** Everything that can be said about a text, found off the page's thread. */

import type {
  AddressesAnswer,
  DefaultChange,
  ErrorAnswer,
  PatchOperation,
  Scope,
  Severity,
  Undecided,
  ValidateAnswer,
  ZoneRequest,
  ZonesAnswer,
} from "../documents.js";
import type { CheckAnswer } from "../check/answer.js";
import type { CheckRequest } from "../check/request.js";
import type { Choice, ChoicePlace } from "../choices/place.js";
import type { PlacedFinding } from "../check/finding.js";
import type { Sourced } from "../check/join.js";
import type { Upgrade } from "../check/upgrade.js";
import type { CallOptions, WorkerLike } from "../worker/interface.js";
import type { Problem, Range, TextEdit } from "../yaml/index.js";
import type { ExplainedRule } from "../rules.js";
import type { ReviewedManifests, ReviewedPlan, ReviewedRollout } from "./previews.js";

export type * from "./previews.js";

/** What is checked. Texts are YAML or JSON, of any number of documents. */
export interface CheckInput {
  /** The text that somebody edits. */
  text: string;
  /**
   * The objects as they were, given to the rules without defaults; those of the same API group, kind, namespace and name are the old
   * objects of an update. An object whose name differs, or that has none, is a new one, and its old one is a problem.
   */
  old?: string | undefined;
  /** Objects that the text refers to, such as the CloudProfile. Those in the text itself go first. */
  context?: string | undefined;
  /** The provider of objects that name none; without it they are not judged. */
  provider?: string | undefined;
  /** Whether errors that an old object has already are warnings; false by default. */
  ratchet?: boolean | undefined;
  /**
   * Whether an object with a `metadata.uid`, which is there already, is judged as a new one;
   * false by default: without an old object, it is judged as an update of itself.
   */
  create?: boolean | undefined;
  /**
   * The version of the garden's Gardener, such as `1.147.2`: its rules, fields and defaults count. Without it, those of the newest
   * version that the policy knows, and a finding that an older one would not have says in `since` which one brought it.
   */
  gardenerVersion?: string | undefined;
  /**
   * The fields that the garden's API server knows, by its OpenAPI document: the JSON text of what `openapiNames` makes of it. An unknown
   * field is an error then, and one of a newer Gardener than the policy's is known.
   */
  openapi?: string | undefined;
  /**
   * The version of Kubernetes to which Shoots are to go: `1.35`, of which the newest patch counts that the profile supports, or `1.35.2`.
   * A Shoot is judged as an update of itself then, whatever is in `old`: the review says what must change before.
   */
  kubernetes?: string | undefined;
  /** Whether defaults are set before the rules are asked, as the API server does; true by default. */
  defaults?: boolean | undefined;
  /** Whether the text is shown as it is with its defaults, line by line; false by default. */
  showDefaults?: boolean | undefined;
  /** Whether the addresses of Shoots are shown; false by default. */
  addresses?: boolean | undefined;
  /** Whether the infrastructure of Shoots is planned; false by default. */
  plans?: boolean | undefined;
  /** Whether what an edit does to the nodes of Shoots is shown; false by default. */
  rollouts?: boolean | undefined;
  /** Whether the control planes of Shoots are rendered, and their machines made; false by default. */
  manifests?: boolean | undefined;
  /**
   * The objects as they were applied last: what an object is an update of, and what a plan starts from, where `old` has no
   * such object.
   */
  applied?: string | undefined;
  /**
   * The Shoot that a document without `apiVersion` and `kind` is a part of, such as the workers that an editor shows alone. The part is put
   * into the Shoot as a merge patch (RFC 7386: lists that the text has take the place of the Shoot's), and the whole is judged. A Shoot with a
   * `metadata.uid` is the old object, too, unless `old` or `applied` has another one or `create` says that it is new.
   */
  onto?: object | undefined;
  /**
   * Whether the review waits until Gardener's own rules are loaded; false by default: the first review does without them, its documents say
   * `isPreliminary`, and `onMore` is called when to review again.
   */
  wait?: boolean | undefined;
}

/** What was found. */
export interface Review {
  /** The documents of the text, in its order, without empty ones. */
  documents: ReviewedDocument[];
  /** When the rules were asked, in milliseconds since 1970: of the same input, a checker says for `FRESH` milliseconds what it said before. */
  judgedAt: number;
  /** What is wrong with the other two texts themselves. */
  old: OtherProblem[];
  context: OtherProblem[];
  /** Where values of Secrets stand in them, which are not to be shown. */
  oldSecrets: Range[];
  contextSecrets: Range[];
  /** The CloudProfiles and NamespacedCloudProfiles in the context, and where their names stand. */
  contextProfiles: NamedProfile[];
}

/** Something wrong with another text than the one that somebody edits. */
export interface OtherProblem extends Problem {
  /** Present where the verdict is without the object or the document that the problem is about; what it is not without, it takes as it is. */
  isLeftOut?: true;
  /** Present on a misspelt key: the rule that says so. */
  rule?: string;
  /** Present on a key that a newer Gardener may have: in the text itself, that is a warning. */
  isWarning?: true;
  /** Which document of that text it is about, the first being 0; absent on what is wrong with the YAML. */
  document?: number;
  /** What corrects it, for `edits` of that text; absent where that is not certain. */
  fix?: PatchOperation[];
}

/** A CloudProfile or a NamespacedCloudProfile, and where its name stands. */
export interface NamedProfile extends Range {
  kind: string;
  /** Absent where the kind has no namespaces. */
  namespace?: string;
  name: string;
}

/** A document of the text. */
export interface ReviewedDocument extends Range {
  /** Line of its first character, the first being 1. */
  line: number;
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  /** What the API server makes the name of, where there is none. */
  generateName?: string;
  /** The provider whose policy judged it. */
  provider?: string;
  /** Present on a part of the Shoot in `onto`, whose names and whose `ruling` are those of the whole. */
  isPart?: boolean;
  /** Whether the object was judged as an update: of an old object, or of itself. */
  isUpdate: boolean;
  /** Present on an object that is there already and was judged as an update of itself. */
  isOfItself?: boolean;
  /** Present on a manifest for a stored object, which was judged as `kubectl apply` sends it: what it leaves out stays. */
  isApplied?: boolean;
  /** Present on an object that was judged as an update of what was applied last. */
  isOfApplied?: boolean;
  /** What is wrong with the text itself. */
  problems: Problem[];
  /** Absent where no policy judges such an object. */
  ruling?: Ruling;
  /** Present on an object that is rejected for what the text says at an object that it names: kind, namespace and name of that. */
  leftTo?: string;
  /** Why no policy of a provider judges the object. A `ruling` next to it is by Gardener's own rules alone. */
  skipped?: Skipped;
  /** The provider that the object names, such as `ironcore`, where Trellis has no rules of that provider yet. */
  unsupported?: string;
  /** Present as long as Gardener's own rules judge such an object, and are still being loaded. */
  isPreliminary?: boolean;
  /** Why Gardener's own rules were not asked, where their module cannot be loaded, which is tried again after each review. */
  gardenerError?: string;
  /** What to underline for the object as a whole. */
  head: Range;
  /** Where values of a Secret stand, which are not to be shown, in the order of the text. */
  secrets: Range[];
  /**
   * The text as it is with its defaults, where `showDefaults` asks for it; absent where there are none, where no edit of the text makes
   * them, for Secrets, for a part, and where the text has more than 20,000 lines.
   */
  defaulted?: DefaultedLine[];
  /** The addresses of a Shoot, where `addresses` asks for them. */
  addresses?: AddressesAnswer;
  /** Next to `addresses`, the families of addresses that the Shoot asks for, such as `IPv4` and `IPv6`, where it says so. */
  ipFamilies?: string[];
  /** Why the addresses are not known, where the module that computes them cannot be loaded. */
  addressesError?: string;
  /** Present where `kubernetes` asks for it: the way of a Shoot to that version. */
  upgrade?: Upgrade;
  /** What becomes of the infrastructure of a Shoot, where plans were asked for and its policy makes such. */
  plan?: ReviewedPlan;
  /**
   * What the edit does to the nodes of a Shoot, where rollouts were asked for and its policy says it; absent where nothing is
   * known of the Shoot before, and where it is rejected.
   */
  rollout?: ReviewedRollout;
  /** What the control plane and the machines of a Shoot consist of, where manifests were asked for and its policy renders such. */
  manifests?: ReviewedManifests;
}

/**
 * Why an object is not judged: no policy here, or not that of its provider, has rules for its kind; there is no policy
 * for the provider that it names; nothing names its provider; it is no object that can be read; or another object of its API group,
 * kind, namespace and name goes before it, which says something else (`twice`) or the same (`copy`).
 */
export interface Skipped {
  because: "kind" | "provider" | "unnamed" | "unreadable" | "twice" | "copy";
  /** Its kind, which provider it names, what there is instead of an object, or the line of the other object; empty where nothing is known. */
  found: string;
  /** With `provider`, the one that is most likely meant; absent where none is near. */
  meant?: MeantProvider;
}

/** A provider that an object most likely means, where its name is misspelt, and what writes the right one. */
export interface MeantProvider {
  provider: string;
  range: Range;
  fix: PatchOperation[];
}

/** What the policies say of an object. */
export interface Ruling {
  /** Absent where the policy could not judge, as `error` says, and where the object itself is wrong, as its findings say: `skipped`. */
  verdict?: ValidateAnswer["verdict"];
  /** Whose rules the verdict covers, and whose rules nobody checked; absent where there is no verdict. */
  scope?: Scope;
  /** What the policy answered instead, or `PolicyUnavailable` where it cannot be loaded, which the next check tries again. */
  error?: ErrorAnswer["error"];
  /** What to underline for `error`, and the line of its first character. */
  range?: Range;
  line?: number;
  /** Of all policies, in the order of the document. */
  findings: ReviewedFinding[];
  /** The severities of which there are more findings than these; absent where there are none. */
  truncated?: Severity[];
  /** How many findings have no fix because nobody has tried theirs yet: the next review of the same input tries more. Absent where there are none. */
  untried?: number;
  undecided: Sourced<Undecided>[];
  changes: Sourced<DefaultChange>[];
}

/** A finding and where it is. */
export interface ReviewedFinding extends PlacedFinding {
  /** Line of the range's first character in the whole text, the first being 1. */
  line?: number;
  /** The path of the value, such as `spec.region`, where a part of a Shoot does not have it: `range` is that of the nearest parent there. */
  elsewhere?: string;
  /**
   * Whether `fix` changes what the text has, so that `edits` makes an edit of it, unless the text says the same elsewhere
   * by an alias.
   */
  isFixable: boolean;
  /** Present where each of `choices` can be put into the text in the same way. */
  isChoosable?: true;
  /** Whether its rule holds for updates alone. */
  isOfUpdate: boolean;
}

/** A line of a text with its defaults. */
export interface DefaultedLine {
  /** What became of it. */
  state: "same" | "added" | "removed";
  text: string;
  /** Line in the text that was checked, the first being 1; absent for an added one. */
  line?: number;
  /** The defaults that begin on this line. */
  changes: DefaultChange[];
}

/** The answer to a plan of zones, with the edits of the text that make it. */
export type ZonesPlan = (ZonesAnswer & { edits?: TextEdit[] }) | ErrorAnswer;

/** What is wrong with the checker itself, or with the policy that was asked for. */
export type CheckFailure = "Malformed" | "DeadlineExceeded" | "WorkerFailed" | "PolicyUnavailable" | "WordsUnavailable";

/**
 * Why there is no answer:
 * - `Malformed`: what was given is not what the types say.
 * - `DeadlineExceeded`: the check took too long and its worker was ended.
 * - `WorkerFailed`: the worker ended, failed, or was closed.
 * - `PolicyUnavailable`: `rules` or `check` was asked about a provider whose policy cannot be loaded.
 * - `WordsUnavailable`: `rules` was asked about a provider whose file with the words of rules cannot be read.
 */
export class CheckError extends Error {
  override readonly name = "CheckError";

  constructor(
    readonly code: CheckFailure,
    message: string,
  ) {
    super(message);
  }
}

export interface CheckerOptions {
  /** Milliseconds above 0 that a check may take, without what is loaded meanwhile; 10,000 by default. */
  timeout?: number | undefined;
  /** Makes the worker, whose code is `trellis-policy/checker-thread`; for bundlers that do not find it themselves. */
  worker?: (() => WorkerLike) | undefined;
  /** Called when something has been loaded, or could not be, so that a review says more than those before. */
  onMore?: (() => void) | undefined;
}

/** What goes with a review. */
export interface ReviewCall extends CallOptions {
  /** Called once, when a review that did not wait for Gardener's own rules would say more. Of reviews that wait for that, the last 100 hear of it. */
  onMore?: (() => void) | undefined;
}

/** What goes with an object that is checked: all that `check` of `trellis-policy` takes besides. */
export type ObjectSettings = Omit<CheckRequest, "object">;

/**
 * Checks texts in a worker of its own, one after the other in the order of the calls; what is aborted while it waits is
 * not done. Nothing rejects but what is aborted, with the signal's reason, `edits` of what is not there, and with a `CheckError` what is
 * malformed, and what fails in the worker itself, after which the next call starts a new worker.
 */
export interface Checker {
  /** Everything that can be said about a text. */
  review(input: CheckInput, options?: ReviewCall): Promise<Review>;
  /**
   * One answer about an object, or about the items of a list, as `check` of `trellis-policy` gives it. The worker keeps what is in
   * `context`, and is sent of it what has changed. Give a long object as its JSON text: an object is written at each call, to see whether it
   * has changed.
   */
  check(object: object | string, settings?: ObjectSettings, options?: CallOptions): Promise<CheckAnswer | ErrorAnswer>;
  /**
   * The edits that make a patch of a document of a text; nothing where there are none. Rejects with a `TypeError` where the text has no such
   * document.
   */
  edits(text: string, document: number, patch: PatchOperation[], options?: CallOptions): Promise<TextEdit[] | undefined>;
  /** What to underline for a JSON pointer into a document of a text, or for its nearest ancestor there. */
  locate(text: string, document: number, pointer: string, options?: CallOptions): Promise<Range | undefined>;
  /** Plans zones for a document of a text. */
  zones(input: CheckInput, document: number, add: ZoneRequest[], options?: CallOptions): Promise<ZonesPlan>;
  /** The object of a document, and the CloudProfile that it refers to, without Secrets; nothing where it cannot be read. */
  objects(input: CheckInput, document: number, options?: CallOptions): Promise<object[]>;
  /**
   * What there is to choose from at a place of an object of `text`, by the CloudProfiles of `text` and `context`, the best first; nothing
   * where no profile there has a say.
   */
  choices(input: Pick<CheckInput, "text" | "context">, place: ChoicePlace, options?: CallOptions): Promise<Choice[]>;
  /** The rules of a provider, or of `gardener`, with their words, which are read from a file when they are first asked for. */
  rules(provider: string, options?: CallOptions): Promise<ExplainedRule[]>;
  /** Ends the worker; calls that are open or follow reject. */
  close(): void;
}
