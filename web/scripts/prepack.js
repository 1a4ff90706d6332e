// Gives the package that is about to be packed its licence. Refuses one that nobody has built, because npm would pack it without its code.

import { access, copyFile } from "node:fs/promises";

await access(new URL("../dist/index.js", import.meta.url)).catch(() => {
  console.error("the package is not built: run `make build` at the top of the repository");
  process.exit(1);
});
await copyFile(new URL("../../LICENSE", import.meta.url), new URL("../LICENSE", import.meta.url));
