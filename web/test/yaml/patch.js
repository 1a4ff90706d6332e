/** A plain value after an RFC 6902 patch of `add`, `replace` and `remove`, as simply as can be. */
export function patched(value, patch) {
  const root = { "": structuredClone(value) };
  for (const { op, path, value: given } of patch) {
    const tokens = path.split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = tokens.pop();
    // The whole value is the member "" of the root.
    const [parent, key] = path === "" ? [root, ""] : [tokens.reduce((parent, token) => parent[token], root), last];
    if (op === "remove") Array.isArray(parent) ? parent.splice(key, 1) : delete parent[key];
    else if (op === "add" && Array.isArray(parent)) parent.splice(key === "-" ? parent.length : key, 0, given);
    else parent[key] = given;
  }
  return root[""];
}
