/** What was done last, in a sentence. */

import { ref } from "vue";

export function useNotes() {
  /** It can be undone as long as the manifest is `result`. Each note is another one, by its id. */
  const note = ref<{ id: number; open: boolean; text: string; result?: string | undefined }>({ id: 0, open: false, text: "" });

  function notify(text: string, result?: string): void {
    note.value = { id: note.value.id + 1, open: true, text, result };
  }

  return { note, notify };
}
