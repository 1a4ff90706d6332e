/** Where a value is chosen. */

/** A place and what choices depend on there, as plain data, so that a worker can be asked. */
export interface ChoicePlace {
  /** Keys from the top of the object; `[]` stands for any item of a list. */
  path: string[];
  /** As much of the object as choices depend on. */
  object: ChoosingObject;
  /** What stands next to the value. */
  beside: { kind?: string | undefined; name?: string | undefined };
  /** What the worker pool around the value says. */
  pool: { zones: string[]; machineType?: string | undefined; architecture?: string | undefined };
}

/** An object for which something is chosen. */
export interface ChoosingObject {
  kind: string;
  metadata: { namespace?: string | undefined };
  spec: {
    cloudProfile: { kind?: string | undefined; name?: string | undefined };
    cloudProfileName?: string | undefined;
    region?: string | undefined;
  };
}

/** A value to choose. */
export interface Choice {
  value: string;
  /** What it is, in few words. */
  detail: string;
  /** Whether it is not there, or should not be chosen. */
  isDeprecated: boolean;
  /** Present on a version that has expired. */
  isExpired?: true;
}
