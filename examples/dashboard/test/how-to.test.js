import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const HOW_TO = 'docs/how-to/dashboard.md'
const lines = readFileSync(new URL(`../../../${HOW_TO}`, import.meta.url), 'utf8').split('\n')

/** The blocks of code, each with the last file that was named before it, and its section. */
function blocks () {
  const found = []
  let file, section, block
  for (const [index, line] of lines.entries()) {
    const fence = /^```(\w*)$/.exec(line)
    if (fence && !block) {
      block = { file, section, line: index + 1, code: [] }
    } else if (fence) {
      found.push(block)
      block = undefined
    } else if (block) {
      block.code.push(line)
    } else {
      section = /^## (.*)/.exec(line)?.[1] ?? section
      file = /`((?:src\/[\w/.]+|vite\.config)\.(?:js|vue))`/.exec(line)?.[1] ?? file
    }
  }
  return found
}

/** A text without the indentation of its lines. */
const flat = text => text.split('\n').map(line => line.trim()).join('\n')

test('the code of the page on the dashboard is that of this application', () => {
  const found = blocks()
  assert.ok(found.length > 10, String(found.length))
  for (const { file, line, code } of found) {
    const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    assert.ok(flat(source).includes(flat(code.join('\n'))), `${HOW_TO}:${line} shows something else than ${file}`)
  }
})

test('the page on the dashboard counts the lines of each change', () => {
  const rows = lines.flatMap(line => /^\| \[\w+\]\(#(\d)-[\w-]+\) \|[^|]*\| (\d+) \|/.exec(line)?.slice(1, 3).map(Number) ?? [])
  const counted = [1, 2, 3].flatMap(change => {
    const own = blocks().filter(({ section }) => section.startsWith(`${change}. `))
    return [change, own.reduce((sum, { code }) => sum + code.length, 0)]
  })
  assert.deepEqual(rows, counted)
})
