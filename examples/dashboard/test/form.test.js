import assert from 'node:assert/strict'
import { test } from 'node:test'
import { underlined, withBrowser } from './page.js'

const { open } = withBrowser()
const FORM = 'namespace/garden-dev/shoots/+'

test('a field shows what the policy finds there until it is right, and then the Shoot is created', async t => {
  const page = await open(t, FORM)
  const create = page.getByRole('button', { name: 'Create' })
  await page.getByLabel('Autoscaler Max.').fill('3')
  await page.getByLabel('Autoscaler Min.').fill('4')
  const message = page.locator('.v-col', { has: page.getByLabel('Autoscaler Max.') }).getByRole('alert')
  await message.getByText('minimum').waitFor()
  await create.click()
  await page.getByText('There are input errors that you need to resolve').waitFor()
  await page.getByLabel('Autoscaler Max.').fill('5')
  await message.getByText('minimum').waitFor({ state: 'detached' })
  const [request] = await Promise.all([page.waitForRequest(request => request.method() === 'POST'), create.click()])
  const { minimum, maximum } = request.postDataJSON().spec.provider.workers[0]
  assert.deepEqual([minimum, maximum], [4, 5])
  await page.getByText('Cluster created').waitFor()
})

test('what no field shows is shown below the form', async t => {
  const page = await open(t, FORM)
  await page.getByLabel('Volume Type').press('ArrowDown')
  await page.getByRole('option', { name: 'io1' }).click()
  await page.getByRole('alert').filter({ hasText: 'providerConfig' }).waitFor()
})

test('without the checks, the rules of the form alone are asked', async t => {
  const page = await open(t, FORM, { policy: 'schemas' })
  const modules = []
  page.on('request', request => request.url().endsWith('.wasm') && modules.push(request.url()))
  await page.getByLabel('Autoscaler Min.').fill('4')
  await page.getByLabel('Cluster Name').fill('')
  await page.getByText('Value is required').waitFor()
  await page.getByLabel('Cluster Name').fill('mine')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Cluster created').waitFor()
  await page.waitForLoadState('networkidle')
  assert.deepEqual(modules, [])
})

test('the editor of a new Shoot begins with what is in the form, and shows what is wrong with it', async t => {
  const page = await open(t, FORM)
  await page.getByLabel('Autoscaler Min.').fill('4')
  await page.getByRole('link', { name: 'YAML' }).click()
  await underlined(page, ['2'])
})
