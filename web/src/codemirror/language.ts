// YAML as the editor reads it for colours, folding and indentation.
import { yamlLanguage } from "@codemirror/lang-yaml";
import { LanguageSupport } from "@codemirror/language";
import { Tree, type PartialParse } from "@lezer/common";

/** CodeMirror's YAML; a text too deep for its parser has no colours, where the parser's error would undo the edit. */
export function yaml(): LanguageSupport {
  return new LanguageSupport(language);
}

export const language = yamlLanguage.configure({ wrap: (inner, input) => new BoundedParse(inner, input.length) });

/** A parse that ends with a tree of nothing when the stack ends, because the parser builds its tree by recursion. */
class BoundedParse implements PartialParse {
  constructor(
    private readonly inner: PartialParse,
    private readonly length: number,
  ) {}

  get parsedPos(): number {
    return this.inner.parsedPos;
  }

  get stoppedAt(): number | null {
    return this.inner.stoppedAt;
  }

  stopAt(position: number): void {
    this.inner.stopAt(position);
  }

  advance(): Tree | null {
    try {
      return this.inner.advance();
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      return new Tree(yamlLanguage.parser.topNode, [], [], this.stoppedAt ?? this.length);
    }
  }
}
