/** Everything that can be said about a text, found off the page's thread. */

import type {
  AddressesAnswer,
  Change,
  ErrorAnswer,
  PatchOperation,
  Rule,
  Undecided,
  ValidateAnswer,
  ZoneRequest,
  ZonesAnswer,
} from "../documents.js";
import type { PlacedFinding } from "../codemirror/options.js";
import type { Problem, Range, TextEdit } from "../yaml/index.js";

/** What is checked. Texts are YAML or JSON, of any number of documents. */
export interface CheckInput {
  /** The text that somebody edits. */
  text: string;
  /** The objects as they were; those of the same kind, namespace and name are the old objects of an update. */
  old?: string | undefined;
  /** Objects that the text refers to, such as the CloudProfile. Those in the text itself go first. */
  context?: string | undefined;
  /** The provider of objects that name none; without it they are not judged. */
  provider?: string | undefined;
  /** Whether errors that an old object has already are warnings; false by default. */
  ratchet?: boolean | undefined;
  /** Whether defaults are set before the rules are asked, as the API server does; true by default. */
  defaults?: boolean | undefined;
}

/** What was found. */
export interface Review {
  /** The documents of the text, in its order, without empty ones. */
  documents: ReviewedDocument[];
  /** What is wrong with the other two texts themselves. */
  old: Problem[];
  context: Problem[];
}

/** A document of the text. */
export interface ReviewedDocument extends Range {
  /** Line of its first character, the first being 1. */
  line: number;
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  /** The provider whose policy judged it. */
  provider?: string;
  /** Whether there was an old object. */
  isUpdate: boolean;
  /** What is wrong with the text itself. */
  problems: Problem[];
  /** Absent where no policy judges such an object: `skipped` says why. */
  ruling?: Ruling;
  skipped?: Skipped;
  /** Where values of a Secret stand, which are not to be shown. */
  secrets: Range[];
  /** The text as it is with its defaults; absent where there are none, or where no edit of the text makes them. */
  defaulted?: DefaultedLine[];
  /** The addresses of a Shoot. */
  addresses?: AddressesAnswer;
}

/** Why an object is not judged: its kind or provider is unknown here, it names no provider, or it is no object. */
export interface Skipped {
  because: "kind" | "provider" | "unnamed" | "unreadable";
  /** What it is, or which provider it names. */
  found: string;
}

/** What a policy says of an object. */
export interface Ruling {
  /** Absent where the policy could not judge: `error` says why. */
  verdict?: ValidateAnswer["verdict"];
  error?: ErrorAnswer["error"];
  findings: ReviewedFinding[];
  undecided: Undecided[];
  changes: Change[];
}

/** A finding and where it is. */
export interface ReviewedFinding extends PlacedFinding {
  /** Line of the range's first character in the whole text, the first being 1. */
  line?: number;
  /** Whether `edits` makes of `fix` an edit of the text. */
  isFixable: boolean;
}

/** A line of a text with its defaults. */
export interface DefaultedLine {
  /** What became of it. */
  state: "same" | "added" | "removed";
  text: string;
  /** Line in the text that was checked, the first being 1; absent for an added one. */
  line?: number;
  /** The defaults that begin on this line. */
  changes: Change[];
}

/** The answer to a plan of zones, with the edits of the text that make it. */
export type ZonesPlan = (ZonesAnswer & { edits?: TextEdit[] }) | ErrorAnswer;

export interface CheckOptions {
  /** Aborted, the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface CheckerOptions {
  /** Milliseconds that a check may take; 10,000 by default. */
  timeout?: number | undefined;
  /** Makes the worker, whose code is `trellis-policy/checker-thread`; for bundlers that do not find it themselves. */
  worker?: (() => Worker) | undefined;
}

/**
 * Checks texts in a worker of its own, one after the other. Nothing rejects but what is aborted, and what fails in the
 * worker itself: a `CheckError`, after which the next call starts a new worker.
 */
export interface Checker {
  review(input: CheckInput, options?: CheckOptions): Promise<Review>;
  /** The edits that make a patch of a document of a text; nothing where there are none. */
  edits(text: string, document: number, patch: PatchOperation[], options?: CheckOptions): Promise<TextEdit[] | undefined>;
  /** Plans zones for a document of a text. */
  zones(input: CheckInput, document: number, add: ZoneRequest[], options?: CheckOptions): Promise<ZonesPlan>;
  /** The rules of a provider. */
  rules(provider: string, options?: CheckOptions): Promise<Rule[]>;
  /** Ends the worker; calls that are open or follow reject. */
  close(): void;
}
