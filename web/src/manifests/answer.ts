/** Whether what somebody gives is an answer that has manifests. */

import { textAt } from "../check/objects.js";

/** Throws where a value is no answer of a function of a policy, and says what it is instead. */
export function expectAnswer(value: unknown, caller: string, wanted: "render" | "workers"): void {
  const found = foundIn(value, wanted);
  if (found !== undefined) throw new TypeError(`${caller} needs an answer of \`${wanted}\`, and got ${found}`);
}

function foundIn(value: unknown, wanted: "render" | "workers"): string | undefined {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return `a ${typeof value}`;
  if (!("error" in value)) {
    const [other, member] = wanted === "render" ? ["workers", "machineDeployments"] : ["render", "managedResources"];
    return member in value ? `one of \`${other}\`` : undefined;
  }
  const [code, message] = [textAt(value, "error", "code") ?? "", textAt(value, "error", "message") ?? ""];
  return `an answer with the error \`${code}\`: ${message}; look for \`error\` first`;
}
