import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetsOf, underlined, withBrowser, writeAfter } from './page.js'
import { shootWithMistakes } from './shoots.js'

const { open, serverOf } = withBrowser()
const EDITOR = 'namespace/garden-dev/shoots/aws-seven-mistakes/yaml'

/** What is wrong with the Shoot of the example by the rules of AWS. */
const MISTAKES = ['S3', '10.250.0.9/19', '10.250.32.0/20', '203.0.113.7', 'providerConfig', 'always']
const shown = page => page.locator('.cm-tooltip-autocomplete li').allTextContents()

for (const isNarrow of [false, true]) {
  const words = isNarrow ? "with 'wasm-unsafe-eval'" : "with 'unsafe-eval'"

  test(`an editor ${words} has findings of both policies without a key pressed, and fixes one`, async t => {
    const server = await serverOf({ isNarrow })
    await server.put(shootWithMistakes())
    const page = await open(t, EDITOR, { isNarrow })
    await underlined(page, [...MISTAKES, '11'])
    await page.locator('.cm-lintRange', { hasText: '10.250.0.9/19' }).hover()
    await page.getByRole('button', { name: /10\.250\.0\.0\/19/ }).click()
    await underlined(page, [...MISTAKES.filter(text => text !== '10.250.0.9/19'), '11'])
    assert.equal(await page.locator('.cm-line', { hasText: 'workers: 10.250.0.0/19' }).count(), 1)
  })
}

test("the checks of an AWS Shoot transfer at most 205 KB, Gardener's module apart", async t => {
  let before, after
  const plain = await open(t, EDITOR, { policy: 'none' }, page => { before = assetsOf(page) })
  await plain.locator('.cm-content').waitFor()
  const checked = await open(t, EDITOR, { policy: 'checks' }, page => { after = assetsOf(page) })
  await underlined(checked, MISTAKES)
  const added = [...after].filter(([path]) => !before.has(path) && !path.includes('/gardener'))
  assert.ok(added.some(([path]) => path.includes('/aws_bg')), JSON.stringify(added))
  const kilobytes = added.reduce((sum, [, size]) => sum + size, 0) / 1024
  assert.ok(kilobytes > 100 && kilobytes <= 205, `${kilobytes}: ${JSON.stringify(added)}`)
})

test('the completion of the package offers fields of the provider and values of the CloudProfile', async t => {
  const page = await open(t, EDITOR)
  await writeAfter(page, 'kind: InfrastructureConfig', '\ndual')
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'dualStack' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.cm-line', { hasText: 'type: m6i.large' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.type('type: ')
  await page.keyboard.press('Control+Space')
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'm7g.large' }).waitFor()
})

test('the pointer on a field shows what it means', async t => {
  const page = await open(t, EDITOR)
  await page.locator('.cm-line', { hasText: 'gatewayEndpoints:' }).getByText('gatewayEndpoints').hover()
  const tooltip = page.locator('.cm-trellis-tooltip')
  await tooltip.waitFor()
  assert.match(await tooltip.innerText(), /gatewayEndpoints.*list of string/s)
})

test("the dashboard's own completion offers fields of the provider by the grafted schema, and not without it", async t => {
  for (const [policy, found] of [['none', []], ['schemas', ['dualStack']]]) {
    const page = await open(t, EDITOR, { policy })
    await writeAfter(page, 'credentialsBindingName: aws', '\npur')
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'purpose' }).waitFor()
    await page.keyboard.press('Escape')
    await writeAfter(page, 'kind: InfrastructureConfig', '\n')
    await page.keyboard.press('Control+Space')
    if (found.length > 0) await page.locator('.cm-tooltip-autocomplete li').first().waitFor()
    assert.deepEqual((await shown(page)).filter(text => /dualStack/.test(text)).length, found.length)
    assert.equal(await page.locator('.cm-lintRange').count(), 0, 'nothing is checked')
  }
})

test('what is saved is what the editor has', async t => {
  const page = await open(t, 'namespace/garden-dev/shoots/aws-dual-stack/yaml')
  await underlined(page, [])
  await writeAfter(page, 'region: eu-central-1', '\npurpose: testing')
  const [request] = await Promise.all([
    page.waitForRequest(request => request.method() === 'PUT'),
    page.getByRole('button', { name: 'Save' }).click(),
  ])
  assert.equal(request.postDataJSON().spec.purpose, 'testing')
  await page.getByText('Saved').waitFor()
})
