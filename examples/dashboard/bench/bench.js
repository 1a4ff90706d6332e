// What an editor of an AWS Shoot transfers for its checks, and how soon it shows what both policies find.

import { launch, PATIENCE } from '../../../web/browser/chromium.js'
import { assetsOf } from '../test/page.js'
import { serve } from '../test/server.js'
import { shootWithMistakes } from '../test/shoots.js'

const VISITS = 11
const EDITOR = 'namespace/garden-dev/shoots/aws-seven-mistakes/yaml'

const browser = await launch()
try {
  const [none, checks] = [await visitAll('none', 1), await visitAll('checks', VISITS)]
  const before = new Set(none[0].files.keys())
  const added = [...checks[0].files].filter(([path]) => !before.has(path))
  const sum = files => Math.round(files.reduce((total, [, size]) => total + size, 0) / 1024)
  const isGardener = ([path]) => path.includes('/gardener')
  for (const [path, size] of added) console.log(`${String(Math.round(size / 1024)).padStart(6)} KB ${path}`)
  console.log(`transferred for the checks, without Gardener's module: ${sum(added.filter(file => !isGardener(file)))} KB`)
  console.log(`transferred for Gardener's module: ${sum(added.filter(isGardener))} KB`)
  for (const name of ['provider', 'gardener']) {
    console.log(`from the editor to the first finding of ${name === 'provider' ? 'the provider' : 'Gardener'}: ${median(checks.map(visit => visit[name]))} ms`)
  }
} finally {
  await browser.close()
}

/** Visits of the editor, each with a cache of its own. */
async function visitAll (policy, count) {
  const server = await serve({ policy })
  try {
    await server.put(shootWithMistakes())
    const visits = []
    for (let visit = 0; visit < count; visit++) visits.push(await visitOnce(`${server.url}${EDITOR}`, policy === 'checks'))
    return visits
  } finally {
    server.close()
  }
}

async function visitOnce (url, isChecked) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const files = assetsOf(page)
    await page.addInitScript(observe)
    await page.goto(url)
    const names = isChecked ? ['editor', 'provider', 'gardener'] : ['editor']
    await page.waitForFunction(names => names.every(name => name in window.seen), names, { timeout: PATIENCE })
    const seen = await page.evaluate(() => window.seen)
    return { files, provider: Math.round(seen.provider - seen.editor), gardener: Math.round(seen.gardener - seen.editor) }
  } finally {
    await context.close()
  }
}

/** In the page: when the editor, and what the rules of each policy find, are there for the first time. */
function observe () {
  window.seen = {}
  const marked = () => [...document.querySelectorAll('.cm-lintRange')].map(({ textContent }) => textContent)
  const isThere = {
    editor: () => document.querySelector('.cm-content'),
    provider: () => marked().includes('S3'),
    gardener: () => marked().includes('11'),
  }
  new MutationObserver(() => {
    for (const [name, test] of Object.entries(isThere)) {
      if (!(name in window.seen) && test()) window.seen[name] = performance.now()
    }
  }).observe(document, { childList: true, subtree: true, attributes: true })
}

function median (numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
