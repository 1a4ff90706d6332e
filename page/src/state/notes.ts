/** What was done last, in a sentence. */

import { ref, watch } from "vue";

/** How a person can take back what was done, and how long the sentence is there. */
interface More {
  /** Whether it stays until it is closed, because the person has to read it. */
  stays?: boolean | undefined;
  /** What else is undone with the manifest. */
  undone?: (() => void) | undefined;
}

interface Note extends More {
  id: number;
  open: boolean;
  text: string;
  result?: string | undefined;
}

export type Notify = ReturnType<typeof useNotes>["notify"];

export function useNotes() {
  /** It can be undone as long as the manifest is `result`. Each note is another one, by its id. */
  const note = ref<Note>({ id: 0, open: false, text: "" });

  /** The last one that stays and gave way to another: it comes back. */
  let waiting: Note | undefined;

  function notify(text: string, result?: string, more: More = {}): void {
    const before = note.value;
    if (before.open && before.stays && before.text !== text) waiting = before;
    else if (waiting?.text === text) waiting = undefined;
    note.value = { id: before.id + 1, open: true, text, result, ...more };
  }

  watch(
    () => note.value.open,
    (isOpen) => {
      if (isOpen || !waiting) return;
      note.value = { ...waiting, id: note.value.id + 1 };
      waiting = undefined;
    },
  );

  /** Takes those away that stay, because what they are about is there no more. */
  function clear(): void {
    waiting = undefined;
    if (note.value.stays) note.value.open = false;
  }

  return { note, notify, clear };
}
