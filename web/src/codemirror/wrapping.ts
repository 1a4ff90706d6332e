/** Lines that are wrapped keep their indentation. */

import { countColumn, type Extension, type Range } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** Wraps long lines, so that what goes on below begins where the line's text does. */
export function indentedWrapping(): Extension {
  return [EditorView.lineWrapping, indenting];
}

const indenting = ViewPlugin.define(
  (view) => ({
    lines: indented(view),
    update({ docChanged, viewportChanged, view }: ViewUpdate) {
      // The lines that are seen are enough, because a text may have many.
      if (docChanged || viewportChanged) this.lines = indented(view);
    },
  }),
  { decorations: ({ lines }) => lines },
);

function indented({ state, visibleRanges }: EditorView): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (const { from, to } of visibleRanges) {
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      const spaces = /^[ \t]+/.exec(line.text)?.[0];
      if (spaces) found.push(indentation(countColumn(spaces, state.tabSize)).range(line.from));
      if (line.to >= to) break;
    }
  }
  return Decoration.set(found, true);
}

/** As wide as some columns; no wider than leaves room for the text of a narrow editor. */
function indentation(columns: number): Decoration {
  const width = `min(${columns}ch, 50%)`;
  // CodeMirror's lines begin 6 pixels from the left.
  return Decoration.line({ attributes: { style: `padding-left: calc(6px + ${width}); text-indent: calc(-1 * ${width})` } });
}
