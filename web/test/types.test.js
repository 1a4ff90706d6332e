// The types of the package, as programs meet them: what they are to refuse is marked in the programs.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const folder = new URL("types/", import.meta.url);

test("types refuse what the programs mark, and nothing else", () => {
  const files = readdirSync(folder).map((name) => fileURLToPath(new URL(name, folder)));
  assert.ok(files.length > 0);
  const options = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, lib: ["lib.es2022.d.ts", "lib.dom.d.ts"] },
  };
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram(files, options));
  const complaints = diagnostics.map(({ file, start, messageText }) => {
    const line = file && file.getLineAndCharacterOfPosition(start).line + 1;
    return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  assert.deepEqual(complaints, []);
});
