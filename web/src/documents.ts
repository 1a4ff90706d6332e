/** The documents that a policy reads and writes. A JSON Schema of each lies in `schemas/`. */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What an answer is when the request cannot be judged. */
export interface ErrorAnswer {
  error: {
    /** `Malformed`, `TooLarge`, `TooDeep`, `UnknownProvider`, `UnknownFunction`, `UnsupportedKind` or `Denied`. */
    code: string;
    message: string;
    /** JSON pointer (RFC 6901) into the object. */
    pointer?: string;
  };
}

/** What a policy is. */
export interface Info {
  /** Provider type as in `spec.provider.type` of a Shoot. */
  provider: string;
  /** Version of the policy. */
  version: string;
  /** Release of the existing extension whose rules the policy carries. */
  parity: string;
  /** Kinds of the provider's own API. */
  kinds: { apiVersion: string; kind: string }[];
  /**
   * Per function and kind of object, what is read of the request's context: JSON pointers, `*` standing for every
   * entry of a list. Callers need to send no more.
   */
  reads: Record<string, Record<string, string[]>>;
}

export type Severity = "error" | "warning";

/** One rule of a policy. */
export interface Rule {
  id: string;
  /** Kinds of the objects that the rule judges. */
  kinds: string[];
  operation: "create" | "update" | "both";
  effect: "validate" | "default";
  /** Absent for rules that set defaults. */
  severity?: Severity;
  summary: string;
  why: string;
  fix: string;
  /** Present on rules that can never reject or change anything: why that is so. */
  informative?: string;
}

/** The answer of `rules`. */
export interface RulesAnswer {
  rules: Rule[];
}

/** What a query outside brought back. */
export interface Fact {
  /** The query's `id`. */
  query: string;
  answer: { response: Json } | { error: { code: string; message: string; httpStatus?: number } };
}

/** The request of `validate` and of `default`. */
export interface PolicyRequest {
  object: object;
  /** The object before an update; absent for a creation. */
  oldObject?: object;
  /** Other objects that rules read; those missing leave rules undecided. */
  context?: { cloudProfile?: object; secret?: object; [name: string]: object | undefined };
  facts?: Fact[];
  /** On an update, errors that the old object already had are warnings. */
  ratchet?: boolean;
}

/** A question to the world outside, to be answered by a fact. */
export interface Query {
  /** Equal queries have equal ids. */
  id: string;
  /** A call to a cloud's API, or a read of a Kubernetes object (service `kubernetes`). */
  call: { service: string; action: string; parameters: Record<string, string> };
  /** How further pages are asked for; the response then has the entries of all pages. */
  paging: "none" | "pageNumber" | "nextToken" | "marker";
}

/** A rule that cannot be judged from the request alone. */
export interface Undecided {
  rule: string;
  why: string;
  query?: Query;
}

/** One operation of an RFC 6902 patch. */
export type PatchOperation =
  | { op: "add" | "replace"; path: string; value: Json }
  | { op: "remove"; path: string };

/** The reason strings of Kubernetes' field errors; `Denied` is a refusal without a field, `Warning` is advice. */
export type FindingType =
  | "FieldValueForbidden"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueRequired"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "InternalError"
  | "Denied"
  | "Warning";

/** One thing that is wrong with the object, or that somebody should look at. */
export interface Finding {
  rule: string;
  severity: Severity;
  type: FindingType;
  /** Field path as the existing extension prints it. */
  field: string;
  /** JSON pointer (RFC 6901) into the object. */
  pointer: string;
  /** The value at the pointer as written, null where absent; left out for anything in a Secret. */
  badValue?: Json;
  detail: string;
  remedy: string;
  /** Where one mend is certain: applied, the finding is gone. */
  fix?: PatchOperation[];
}

/** The answer of `validate`. */
export interface ValidateAnswer {
  /** Nobody may admit on `undecided`. */
  verdict: "accept" | "reject" | "undecided";
  findings: Finding[];
  undecided: Undecided[];
}

/** One default that was set. */
export interface Change {
  rule: string;
  /** JSON pointer (RFC 6901) into the defaulted object. */
  pointer: string;
  reason: string;
}

/** The answer of `default`. */
export interface DefaultAnswer {
  object: Json;
  patch: PatchOperation[];
  changes: Change[];
  undecided: Undecided[];
}
