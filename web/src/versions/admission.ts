/** What admission publishes of itself in the ConfigMap `trellis-admission-<provider>` of a garden. */

import { LoadError, shown } from "../errors.js";

/** What becomes of an object with an error: see `--mode` of `trellis admission`. A newer host may have further modes. */
export type Mode = "enforce" | "ratchet" | "warn" | (string & {});

/** The policy that judges in a garden. */
export interface Admission {
  readonly provider: string;
  /** The version of the policy. */
  readonly version: string;
  /** The release of the existing extension whose rules it has. */
  readonly parity: string | undefined;
  /** The SHA-256 of the file that the host has loaded; none where the policy is part of the host. */
  readonly digest: string | undefined;
  readonly mode: Mode;
}

/** Reads the `data` of the ConfigMap. */
export function admissionOf(data: unknown): Admission {
  if (typeof data !== "object" || data === null) {
    throw new LoadError(`what admission runs is the \`data\` of its ConfigMap \`trellis-admission-<provider>\`, not ${shown(data)}`);
  }
  const { parity, digest } = data as Partial<Record<string, string>>;
  return { provider: member(data, "provider"), version: member(data, "version"), parity, digest, mode: member(data, "mode") };
}

function member(data: object, name: string): string {
  const found: unknown = Object.entries(data).find(([key]) => key === name)?.[1];
  if (typeof found === "string" && found !== "") return found;
  throw new LoadError(
    `\`${name}\` of the ConfigMap's \`data\` is ${shown(found)}, not a text: give the \`data\` of \`trellis-admission-<provider>\` as \`trellis admission\` writes it`,
  );
}
