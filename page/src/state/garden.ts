/** What a person tells of the garden: its version of Gardener, for all visits, and the fields of its API server, for this tab. */

import { openapiNames } from "trellis-policy";
import { ref, shallowRef } from "vue";
import { strings } from "../strings.js";

const KEY = "trellis:gardener";

/** The versions whose rules Gardener's policy has, the newest first. */
export const RELEASES = ["1.150", "1.149", "1.148", "1.147", "1.146", "1.145", "1.144", "1.143"];

/** Versions of Kubernetes that Gardener's policy knows, the newest first. */
export const KUBERNETES = ["1.36", "1.35", "1.34", "1.33", "1.32"];

/** Most bytes of an OpenAPI document, as the command line has it. That of a garden has some 5 MiB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The fields that a garden's API server knows. */
export interface GardenFields {
  /** The name of the file that tells them. */
  name: string;
  /** The names of the fields by kind, as JSON text. */
  json: string;
}

/** Two or three numbers, such as `1.147` and `1.147.2`, as the command line takes them; people write `v` before them. */
export function versionOf(text: string): string | undefined {
  const version = text.trim().replace(/^v/, "");
  return /^1(\.\d{1,4}){1,2}([-+].*)?$/.test(version) ? version : undefined;
}

/** What there is to say of a version that is newer or older than all whose rules are known; empty of any other. */
export function strangeVersion(version: string | undefined): string {
  const minor = (text: string): number => Number(text.split(/[.+-]/)[1]);
  const [newest = "", oldest = newest] = [RELEASES[0], RELEASES.at(-1)];
  if (version === undefined) return "";
  if (minor(version) > minor(newest)) return strings.strangeGarden.newer(version, newest);
  return minor(version) < minor(oldest) ? strings.strangeGarden.older(version, oldest) : "";
}

/** The garden: nothing of it where nobody told. */
export function useGarden() {
  const version = ref(chosen());
  const fields = shallowRef<GardenFields>();

  function choose(wanted: string | undefined): void {
    version.value = wanted;
    try {
      if (wanted === undefined) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, wanted);
    } catch {
      // A browser that keeps nothing has it for this visit.
    }
  }

  /** Reads an OpenAPI document; throws an error with a sentence where it is none. */
  async function open(file: File): Promise<void> {
    if (file.size > MOST_BYTES) throw new Error(strings.fieldsTooLarge(file.name));
    let document: unknown;
    try {
      document = JSON.parse(await file.text());
    } catch {
      throw new Error(strings.fieldsNoJson(file.name));
    }
    if (typeof document !== "object" || document === null) throw new Error(strings.fieldsNone(file.name));
    try {
      fields.value = { name: file.name, json: JSON.stringify(openapiNames(document)) };
    } catch {
      throw new Error(strings.fieldsNone(file.name));
    }
  }

  const leave = () => void (fields.value = undefined);

  return { version, choose, fields, open, leave };
}

function chosen(): string | undefined {
  try {
    return versionOf(localStorage.getItem(KEY) ?? "");
  } catch {
    return undefined;
  }
}
