import assert from 'node:assert/strict'
import { test } from 'node:test'
import { underlined, withBrowser, writeAfter } from './page.js'
import { goodShoot } from './shoots.js'

const { open, serverOf } = withBrowser()
const WORKERS = 'namespace/garden-dev/shoots/aws-dual-stack/workers'

test('an editor of the workers alone has findings within the whole Shoot, and saves the whole', async t => {
  const server = await serverOf()
  const shoot = goodShoot()
  await server.put({ ...shoot, spec: { ...shoot.spec, purpose: 'testing' } })
  const page = await open(t, WORKERS)
  await page.locator('.cm-line', { hasText: 'minimum: 3' }).waitFor()
  assert.equal(await page.locator('.cm-line', { hasText: 'infrastructureConfig' }).count(), 0)
  await writeAfter(page, 'minimum: 3', '0')
  await underlined(page, ['12'])
  await page.keyboard.press('Backspace')
  await underlined(page, [])
  const [request] = await Promise.all([
    page.waitForRequest(request => request.method() === 'PUT'),
    page.getByRole('button', { name: 'Save' }).click(),
  ])
  const { purpose, provider, networking } = request.postDataJSON().spec
  assert.deepEqual([purpose, provider.workers.length, networking.type], ['testing', 2, 'calico'])
  await page.getByText('Saved').waitFor()
})

test('what the rest of the Shoot says counts in findings, completion and hover', async t => {
  const page = await open(t, WORKERS)
  await page.locator('.cm-line', { hasText: '- eu-central-1c' }).first().click()
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('d')
  await underlined(page, ['eu-central-1d'])
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+Space')
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'eu-central-1c' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.cm-line', { hasText: 'httpTokens:' }).first().getByText('httpTokens').hover()
  await page.locator('.cm-trellis-tooltip', { hasText: 'httpTokens' }).waitFor()
})
