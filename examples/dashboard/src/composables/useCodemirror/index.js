import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { defaultHighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { EditorCompletions } from './helper'

/** `schemaDefinition` is a ref. A `policy` has what the editor knows of the rules. */
export function useCodemirror (parent, { doc, label, schemaDefinition, policy }) {
  const completions = new EditorCompletions(schemaDefinition)
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        yaml(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        indentUnit.of('  '),
        autocompletion({
          override: [policy?.completionSource ?? (context => completions.yamlHint(context))],
        }),
        policy?.extensions ?? [],
        lineNumbers(),
        history(),
        syntaxHighlighting(defaultHighlightStyle),
      ],
    }),
  })
  return {
    getDocValue: () => view.state.doc.toString(),
    destroy: () => view.destroy(),
  }
}
