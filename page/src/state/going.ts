/** Ways to the texts and to places in them. */

import { nextTick, type Ref } from "vue";
import type { ReviewedDocument } from "trellis-policy/checker";
import type EditorPane from "../components/EditorPane.vue";
import type { Other } from "./others.js";
import type { Reviewing } from "./review.js";
import type { EditorName } from "./workspace.js";

interface Page {
  reviewing: Reviewing;
  /** The texts. */
  pane: Readonly<Ref<InstanceType<typeof EditorPane> | null>>;
  /** Which text is shown. */
  editor: Ref<EditorName>;
  /** Whether Before and the manifest are shown as a difference. */
  comparing: Ref<boolean>;
}

export type Going = ReturnType<typeof useGoing>;

export function useGoing({ reviewing: { checker, reviewed, documents, state, fail }, pane, editor, comparing }: Page) {
  const isChecking = (): boolean => state.value === "checking";

  /** Shows one of the texts, to be edited. */
  function show(name: EditorName): Promise<void> {
    comparing.value = false;
    editor.value = name;
    return nextTick();
  }

  async function focusEditor(): Promise<void> {
    await show("manifest");
    pane.value?.manifest?.focus();
  }

  /** Shows a range of the text that was checked; while it changes, nobody knows where that is. */
  async function go(range: { from: number; to: number } | undefined): Promise<void> {
    if (isChecking()) return;
    // An editor that is not to be seen takes no focus.
    await show("manifest");
    if (range) pane.value?.manifest?.select(range);
  }

  /** Leads to another text than the manifest, and to a place in it. */
  async function goToOther({ editor: name, range }: Other): Promise<void> {
    if (isChecking()) return;
    await show(name);
    if (range) pane.value?.[name]?.select(range);
    else pane.value?.[name]?.focus();
  }

  function goToLine(line: number): void {
    const doc = pane.value?.manifest?.view?.state.doc;
    if (doc && line <= doc.lines) void go(doc.line(line));
  }

  async function goToPlace(document: ReviewedDocument, pointer: string): Promise<void> {
    try {
      await go(await checker.locate(reviewed.value.text, documents.value.indexOf(document), pointer));
    } catch (thrown) {
      fail(thrown);
    }
  }

  return { show, focusEditor, go, goToOther, goToLine, goToPlace };
}
