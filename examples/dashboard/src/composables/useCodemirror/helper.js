/** Completion of keys by a JSON Schema: lines and their indentation show where the cursor is. */
export class EditorCompletions {
  #definition

  /** `definition` is a ref. */
  constructor (definition) {
    this.#definition = definition
  }

  yamlHint ({ state, pos, explicit }) {
    const line = state.doc.lineAt(pos)
    const before = line.text.slice(0, pos - line.from)
    const word = /^(?: *- +)*(?: *)(\w*)$/.exec(before)?.[1]
    if (word === undefined || (word === '' && !explicit)) return null
    const path = pathTo(state.doc, line.number, before.length - word.length)
    const options = Object.entries(schemaAt(this.#definition.value, path)?.properties ?? {})
      .map(([label, { type, description }]) => ({ label, detail: String(type), info: description, type: 'property' }))
    return { from: pos - word.length, options, validFor: /^\w*$/ }
  }
}

/** The steps of a line with their columns: `[]` where an item of a list begins, and its key. */
function stepsOf (text) {
  const { blank, items, key } = /^(?<blank> *)(?<items>(?:- +)*)(?<key>[\w.-]+(?=:))?/.exec(text).groups
  const steps = []
  let column = blank.length
  for (const { length } of items.match(/- +/g) ?? []) {
    steps.push({ column, step: '[]' })
    column += length
  }
  return key ? [...steps, { column, step: key }] : steps
}

/** The steps above a column of a line that lead to it. */
function pathTo (doc, number, column) {
  const path = []
  for (let above = number; above > 0; above--) {
    for (const { step, ...at } of stepsOf(doc.line(above).text).reverse()) {
      // A list may begin at the column of its key.
      const isParent = at.column < column || (at.column === column && path[0] === '[]' && step !== '[]')
      if (isParent) {
        path.unshift(step)
        column = at.column
      }
    }
  }
  return path
}

function schemaAt (definition, path) {
  return path.reduce((schema, step) => step === '[]' ? schema?.items : schema?.properties?.[step], definition)
}
