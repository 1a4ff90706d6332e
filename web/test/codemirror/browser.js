// The page of the editor's tests.
import { bundled } from "../../browser/bundled.js";

/** Opens the page; the caller closes it. */
export async function open() {
  const { newPage, load, ...rest } = await bundled(new URL("page/", import.meta.url), { worker: { format: "es" } });
  const page = await newPage({ viewport: { width: 1400, height: 2400 } });
  /** Loads the page again, with an editor, which `setup` makes in the page as `window.view`. */
  const editorPage = async (setup, argument) => {
    await page.mouse.move(0, 0);
    await load(page);
    await page.evaluate(setup, argument);
    return page;
  };
  return { editorPage, ...rest };
}
