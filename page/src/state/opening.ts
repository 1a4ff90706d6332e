/** What an entry of the history opens with: what the tab remembers of it, what its address says, or the first example. */

import { AddressError, type LinkedFinding, readAddress, type Shared } from "./address.js";
import { FIRST } from "./first-example.js";
import { recall, type Remembered } from "./memory.js";

/** What is opened. */
export interface Opening {
  shared: Shared;
  /** What the tab remembers, where it does. */
  remembered?: Remembered;
  /** The finding that the address leads to. */
  finding?: LinkedFinding | undefined;
  /** Why it is not what the address says: an example that is unknown, by its name, or that could not be loaded, or a state that cannot be read. */
  problem?: { unknown: string } | { unloaded: string } | { unreadable: AddressError["why"] };
}

export async function opening(entry: string, hash: string): Promise<Opening> {
  const remembered = recall(entry);
  if (remembered !== undefined) return { shared: remembered, remembered };
  try {
    const found = await readAddress(hash);
    if (found === undefined) return { shared: FIRST };
    if ("shared" in found) return found;
    return { finding: found.finding, ...(await example(found.example)) };
  } catch (thrown) {
    if (!(thrown instanceof AddressError)) throw thrown;
    return { shared: FIRST, problem: { unreadable: thrown.why } };
  }
}

/** An example by its name, or the first one, and why. */
async function example(name: string): Promise<Pick<Opening, "shared" | "problem">> {
  if (name === FIRST.name) return { shared: FIRST };
  try {
    const { exampleOf } = await import("./examples.js");
    const found = exampleOf(name);
    return found ? { shared: found } : { shared: FIRST, problem: { unknown: name } };
  } catch {
    return { shared: FIRST, problem: { unloaded: name } };
  }
}
