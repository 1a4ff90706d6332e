/** A plain value after an RFC 6902 patch of `add`, `replace`, `remove` and `move`, as simply as can be. */
export function patched(value, patch) {
  const root = { "": structuredClone(value) };
  const steps = patch.flatMap((step) => {
    if (step.op !== "move") return [step];
    return [{ op: "remove", path: step.from }, { op: "add", path: step.path, get value() { return removed; } }];
  });
  let removed;
  for (const { op, path, value: given } of steps) {
    const tokens = path.split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = tokens.pop();
    // The whole value is the member "" of the root.
    const [parent, key] = path === "" ? [root, ""] : [tokens.reduce((parent, token) => parent[token], root), last];
    if (op === "remove") removed = parent[key];
    if (op === "remove") Array.isArray(parent) ? parent.splice(key, 1) : delete parent[key];
    else if (op === "add" && Array.isArray(parent)) parent.splice(key === "-" ? parent.length : key, 0, given);
    else parent[key] = given;
  }
  return root[""];
}
