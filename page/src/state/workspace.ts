/** The texts that a person works on, kept in the tab's memory and in the address. */

import { computed, onScopeDispose, reactive, ref, watch } from "vue";
import { strings } from "../strings.js";
import { addressOf, addressOfExample, type LinkedFinding, type Shared } from "./address.js";
import type { Example } from "./examples.js";
import { FIRST } from "./first-example.js";
import { currentEntry, firstEntry, newEntry, remember } from "./memory.js";
import { filled } from "./new-profile.js";
import type { Notify } from "./notes.js";
import { type Opening, opening } from "./opening.js";
import type { ProfileDocument } from "./profiles.js";

/** The editors of the page. */
export type EditorName = "manifest" | "before" | "context";

const EDITORS: EditorName[] = ["manifest", "before", "context"];

/** What is in them. */
export type Texts = Record<EditorName, string>;

/** The panels of the page. */
const PANELS = ["findings", "defaults", "addresses", "plan", "manifests"] as const;
export type PanelName = (typeof PANELS)[number];

/** Milliseconds without a change before it is remembered. */
const PAUSE = 400;

/**
 * An object with values that belong to nobody else, or what may become one when its kind is written. Both patterns begin with what is
 * seldom there, because they go through all of a text at each key.
 */
const SECRETS = [
  /\bkind["']?\s*:\s*["']?(?:Internal)?Secret(?:List)?\b/,
  /(?:data|stringData)(?<=(?:^|[{,])[ \t-]*["']?(?:data|stringData))["']?[ \t]*:/m,
];

export type Workspace = ReturnType<typeof useWorkspace>;

/** The texts, and what becomes of them when the person goes, comes back, or shares. */
export function useWorkspace(notify: Notify) {
  const texts: Texts = reactive({ manifest: "", before: "", context: "" });
  const editor = ref<EditorName>("manifest");
  const panel = ref<PanelName>("findings");
  /** The texts in which Secrets were looked for, and whether there are any. */
  const checked = ref<{ texts: Texts; hasSecret: boolean }>();
  /** The documents of Context that New Shoot put there. */
  let put: string[] = [];
  /** Whether texts are being opened, so that those that are there are no longer meant. */
  const isOpening = ref(false);
  let entry = firstEntry();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let addressTimer: ReturnType<typeof setTimeout> | undefined;
  /** What stands in the place of an example that could not be loaded: the address and the tab keep the example, so that a reload tries again. */
  let standIn: string | undefined;
  const isStandIn = (): boolean => texts.manifest === standIn && texts.before === "" && texts.context === "";
  /** The entry that could not be remembered last. */
  let forgotten: string | undefined;
  /** How often an address was asked for: one that is ready late is not written over a newer one. */
  let turns = 0;

  const shared = (): Shared => ({
    text: texts.manifest,
    ...(texts.before !== "" && { old: texts.before }),
    ...(texts.context !== "" && { context: texts.context }),
  });

  /** The name of the example that is there, if it is one as it is. */
  async function example(): Promise<string | undefined> {
    const { manifest, before, context } = texts;
    if (before !== "" || context !== "") return undefined;
    if (manifest === FIRST.text) return FIRST.name;
    try {
      const { examples } = await import("./examples.js");
      return examples.find(({ text }) => text === manifest)?.name;
    } catch {
      // By its text, an example has an address, too.
      return undefined;
    }
  }

  const secrecy = computed<"pending" | "secret" | "open">(() => {
    if (Object.values(texts).some((text) => SECRETS.some((secret) => secret.test(text)))) return "secret";
    const { value } = checked;
    if (!value || EDITORS.some((name) => value.texts[name] !== texts[name])) return "pending";
    return value.hasSecret ? "secret" : "open";
  });

  /** The address of what is there now; empty where it must not or cannot be in one. */
  async function address(): Promise<string> {
    const name = await example();
    if (name !== undefined) return addressOfExample(name);
    return secrecy.value === "open" ? ((await addressOf(shared())) ?? "") : "";
  }

  function keep(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isStandIn()) return;
    const kept = remember(entry, { ...shared(), editor: editor.value, panel: panel.value, put });
    // Once is enough, because this comes with every pause while somebody types.
    if (kept !== "kept" && forgotten !== entry) notify(kept === "full" ? strings.notRemembered : strings.storageDenied);
    forgotten = kept === "kept" ? undefined : entry;
  }

  async function writeAddress(): Promise<void> {
    if (isStandIn()) return;
    const of = entry;
    const turn = (turns += 1);
    const hash = await address();
    if (of !== entry || turn !== turns || hash === location.hash) return;
    history.replaceState({ entry }, "", `${location.pathname}${hash}`);
  }

  /** Called with each text that takes the place of another, and the finding that its address leads to. */
  let opened: (text: string, finding?: LinkedFinding) => void = () => {};

  function show({ text, old = "", context = "" }: Shared, finding?: LinkedFinding): void {
    isOpening.value = false;
    Object.assign(texts, { manifest: text, before: old, context });
    put = [];
    // The editor breaks lines its own way.
    opened(text.replace(/\r\n?/g, "\n"), finding);
  }

  /** Opens what the history's current entry is about. */
  async function open(): Promise<void> {
    entry = currentEntry();
    const of = entry;
    isOpening.value = true;
    const { shared, remembered, finding, problem } = await opening(of, location.hash);
    if (of !== entry) return;
    standIn = problem && "unloaded" in problem ? shared.text : undefined;
    editor.value = EDITORS.find((name) => name === remembered?.editor) ?? "manifest";
    if (remembered) panel.value = PANELS.find((name) => name === remembered.panel) ?? "findings";
    show(shared, finding);
    if (problem) notify(wordsOf(problem), undefined, { stays: true });
    put = remembered?.put ?? [];
  }

  /** Shows an example. What was there before is a step back in the history. */
  function pick({ name, text }: Example): void {
    leave();
    standIn = undefined;
    entry = newEntry(addressOfExample(name));
    editor.value = "manifest";
    show({ text });
  }

  watch([texts, editor, panel], () => {
    clearTimeout(timer);
    timer = setTimeout(keep, PAUSE);
  });
  watch([() => ({ ...texts }), secrecy], () => {
    clearTimeout(addressTimer);
    // Browsers refuse addresses that change too often. One that is not to be has no time.
    if (secrecy.value === "secret") void writeAddress();
    else if (secrecy.value === "open") addressTimer = setTimeout(writeAddress, PAUSE);
  });

  const leave = () => {
    if (timer !== undefined) keep();
  };
  const come = () => {
    leave();
    void open();
  };
  addEventListener("pagehide", leave);
  addEventListener("popstate", come);
  onScopeDispose(() => {
    removeEventListener("pagehide", leave);
    removeEventListener("popstate", come);
  });

  /** Puts the documents of a new Shoot's profile under Context. What comes back takes that back, as long as nothing else has changed there. */
  function fill(documents: ProfileDocument[]): () => void {
    const before = { context: texts.context, put };
    ({ context: texts.context, put } = filled(before, documents));
    const now = texts.context;
    return () => {
      if (texts.context === now) ({ context: texts.context, put } = before);
    };
  }

  const onOpen = (listener: typeof opened) => void (opened = listener);

  return { texts, isOpening, editor, panel, checked, secrecy, open, onOpen, pick, fill, address };
}

function wordsOf(problem: NonNullable<Opening["problem"]>): string {
  if ("unknown" in problem) return strings.exampleUnknown(problem.unknown);
  return "unloaded" in problem ? strings.exampleUnloaded(problem.unloaded) : strings.addressUnreadable(problem.unreadable);
}
