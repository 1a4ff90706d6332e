import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { FOLDER, serve } from './server.js'

let server
before(async () => {
  server = await serve()
})
after(() => server?.close())

/** The head of an answer, as a browser gets it that takes brotli and gzip. */
async function head (path) {
  const request = get(new URL(path, server.url), { headers: { 'Accept-Encoding': 'gzip, deflate, br' } })
  const [{ statusCode, headers }] = await once(request, 'response')
  request.destroy()
  return { status: statusCode, type: headers['content-type'], encoding: headers['content-encoding'], cache: headers['cache-control'] }
}

test('modules of WebAssembly are served with brotli, as what they are, and for a week', async () => {
  const modules = (await readdir(`${FOLDER}/dist/assets`)).filter(name => name.endsWith('.wasm'))
  assert.ok(modules.some(name => name.startsWith('aws_bg')), modules.join(' '))
  for (const name of modules) {
    const expected = { status: 200, type: 'application/wasm', encoding: 'br', cache: 'public, max-age=604800, immutable' }
    assert.deepEqual(await head(`/assets/${name}`), expected, name)
  }
})

test('an asset that is not there is none, and any other path is the page', async () => {
  assert.equal((await head('/assets/nothing.wasm')).status, 404)
  const { status, type } = await head('/namespace/garden-dev/shoots/+')
  assert.deepEqual([status, type], [200, 'text/html; charset=utf-8'])
})
