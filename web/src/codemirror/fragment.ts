import type { Fragment } from "./options.js";

/** JSON text of the object that a fragment belongs to; nothing while there is none. */
export async function wholeOf({ object }: Fragment): Promise<string | undefined> {
  const given = await object();
  if (typeof given !== "string") return JSON.stringify(given);
  try {
    JSON.parse(given);
  } catch {
    throw new Error("the object of the fragment is given as a text that is no JSON");
  }
  return given;
}
