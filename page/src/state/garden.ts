/** What a person says of the garden: its version of Gardener, for all visits, and the fields of its API server, for this tab. */

import { openapiNames } from "trellis-policy";
import { ref, shallowRef } from "vue";
import { strings } from "../strings.js";
import { chosenVersion, keepVersion, RELEASES } from "./releases.js";

/** Most bytes of an OpenAPI document, as the command line has it. That of a garden has some 5 MiB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The fields that a garden's API server knows. */
export interface GardenFields {
  /** The name of the file that lists them. */
  name: string;
  /** The names of the fields by kind, as JSON text. */
  json: string;
}

/** What there is to say of a version that is newer or older than all whose rules are known; empty of any other. */
export function strangeVersion(version: string | undefined): string {
  const minor = (text: string): number => Number(text.split(/[.+-]/)[1]);
  const [newest = "", oldest = newest] = [RELEASES[0], RELEASES.at(-1)];
  if (version === undefined) return "";
  if (minor(version) > minor(newest)) return strings.strangeGarden.newer(version, newest);
  return minor(version) < minor(oldest) ? strings.strangeGarden.older(version, oldest) : "";
}

/** The garden; without a version and fields where nobody gave them. */
export function useGarden(notify: (text: string) => void) {
  const version = ref(chosenVersion());
  const fields = shallowRef<GardenFields>();

  function choose(wanted: string | undefined): void {
    version.value = wanted;
    keepVersion(wanted);
  }

  /** Reads an OpenAPI document, in the place of what Trellis knows of the garden's fields, and says how that went. */
  async function open(file: File): Promise<void> {
    try {
      await read(file);
      notify(strings.fieldsOpened(file.name));
    } catch (thrown) {
      notify(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  /** Throws an error with a sentence where a file is no such document. */
  async function read(file: File): Promise<void> {
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
