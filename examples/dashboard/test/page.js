// Pages of the application in Chromium.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { launch, PATIENCE } from '../../../web/browser/chromium.js'
import { serve } from './server.js'

/** A browser and the servers that tests ask for; all end with the file. */
export function withBrowser () {
  let browser
  const servers = new Map()
  before(async () => {
    browser = await launch()
  })
  after(async () => {
    await browser?.close()
    for (const server of servers.values()) (await server).close()
  })

  /** The server with these options. */
  function serverOf (options = {}) {
    const key = JSON.stringify(options)
    if (!servers.has(key)) servers.set(key, serve(options))
    return servers.get(key)
  }

  /** Opens a page; what it says to the console as an error or a warning, or what it throws, fails the test. */
  async function open (t, path, options, prepare = () => {}) {
    const { url } = await serverOf(options)
    // An editor draws only what is in sight.
    const page = await browser.newPage({ viewport: { width: 1280, height: 2400 } })
    page.setDefaultTimeout(PATIENCE)
    const said = []
    page.on('pageerror', error => said.push(String(error)))
    page.on('console', message => ['error', 'warning'].includes(message.type()) && said.push(message.text()))
    t.after(async () => {
      await page.close()
      assert.deepEqual(said, [])
    })
    prepare(page)
    await page.goto(`${url}${path}`)
    return page
  }

  return { open, serverOf }
}

/** Waits until these texts are underlined, and no others; each is as often there as it is underlined. */
export async function underlined (page, expected) {
  await page.waitForFunction(expected => {
    const found = [...document.querySelectorAll('.cm-lintRange')].map(({ textContent }) => textContent)
    return JSON.stringify(found.sort()) === JSON.stringify(expected)
  }, [...expected].sort()).catch(async error => {
    const found = await page.locator('.cm-lintRange').allTextContents()
    throw new Error(`${error.message}\nunderlined are ${JSON.stringify(found)}`)
  })
}

/** Writes at the end of the line that has a text. */
export async function writeAfter (page, line, text) {
  await page.locator('.cm-line', { hasText: line }).first().click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}

/** The files of the build that a page is given from here on, each with its size as it is transferred. */
export function assetsOf (page) {
  const assets = new Map()
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/assets/')) assets.set(pathname, Number(response.headers()['content-length']))
  })
  return assets
}
