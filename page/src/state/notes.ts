/** What was done last, in a sentence. */

import { ref } from "vue";

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

  function notify(text: string, result?: string, more: More = {}): void {
    note.value = { id: note.value.id + 1, open: true, text, result, ...more };
  }

  return { note, notify };
}
