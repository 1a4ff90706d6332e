/** Texts as they are read, each once as long as it stays the same. */

import type { TextObject } from "../check/objects.js";
import { guessSecrets } from "../check/secrets.js";
import { type Document, documentOf } from "../yaml/document.js";
import { Known } from "../yaml/known.js";
import { lineCounter } from "../yaml/lines.js";
import { type Part, partsOf } from "../yaml/items.js";
import { type Reading, read } from "../yaml/read.js";
import type { Range } from "../yaml/tree.js";

/** A text that was read. */
export interface ReadText {
  text: string;
  readings: Reading[];
  /** What is judged: the documents, and of a list its items. */
  parts: Part[];
  documents: Document[];
  /** The object of each document; nothing where one cannot be read. */
  objects: (TextObject | undefined)[];
  /** By the numbers of documents that are but parts of a Shoot: that Shoot without the part. */
  partOf: ReadonlyMap<number, TextObject>;
  /** What was read of this text and those before it, for a text that shares documents with them. */
  known: Known;
  /** Line of an offset, the first being 1. */
  lineAt(offset: number): number;
  /** Where values of Secrets may be, as the lines alone show. */
  guessed(): Range[];
}

/** The line in which the object of a document begins, behind what stands before it. */
export function lineOf(text: ReadText, index: number): number {
  const document = text.documents[index];
  return text.lineAt(document?.locate("")?.from ?? document?.from ?? 0);
}

/** Reads texts and keeps the last one, and its documents for the next. */
export class TextReader {
  private readonly known = new Known();
  private last: ReadText | undefined;

  read(text: string): ReadText {
    if (this.last?.text === text) return this.last;
    const { known } = this;
    const readings = read(text, known);
    const parts = partsOf(readings);
    const documents = parts.map((reading) => documentOf(text, reading));
    const objects = documents.map(({ json }) => (json === undefined ? undefined : { json, object: JSON.parse(json) }));
    let guessed: Range[] | undefined;
    this.last = {
      text,
      readings,
      parts,
      documents,
      objects,
      partOf: new Map(),
      known,
      lineAt: lineCounter(text),
      guessed: () => (guessed ??= guessSecrets(text)),
    };
    return this.last;
  }
}

/** A text whose objects are only looked at, and these, each with its document. */
export interface OtherObjects {
  of: ReadText;
  objects: (TextObject & { document: number })[];
}

/** Reads texts whose objects are only looked at. */
export class ObjectsReader {
  private readonly reader = new TextReader();
  private last: OtherObjects | undefined;

  read(text: string): OtherObjects {
    const of = this.reader.read(text);
    if (this.last?.of === of) return this.last;
    const objects = of.objects.flatMap((found, document) => (found ? [{ ...found, document }] : []));
    this.last = { of, objects };
    return this.last;
  }
}
