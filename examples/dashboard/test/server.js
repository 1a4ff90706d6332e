// The server of the built application, in a process of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Where `make test-dashboard` installs and builds the application. */
export const FOLDER = process.env.DASHBOARD ?? new URL('../../../target/dashboard', import.meta.url).pathname

/** Serves with some features and a Content-Security-Policy; who starts it closes it. */
export async function serve ({ policy = 'checks', isNarrow = false } = {}) {
  const packages = ['--require', './.pnp.cjs', '--experimental-loader', './.pnp.loader.mjs', '--no-warnings']
  const options = ['--port', '0', '--policy', policy, ...(isNarrow ? ['--narrow'] : [])]
  const server = spawn(process.execPath, [...packages, 'server/main.js', ...options], { cwd: FOLDER, stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await Promise.race([
    once(createInterface({ input: server.stdout }), 'line'),
    once(server, 'exit').then(([code]) => { throw new Error(`the server ended with ${code}`) }),
  ])
  return {
    url,
    /** Puts a Shoot in the place of the one that has its name. */
    async put (shoot) {
      const { namespace, name } = shoot.metadata
      const response = await fetch(`${url}api/namespaces/${namespace}/shoots/${name}`, {
        method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(shoot),
      })
      if (!response.ok) throw new Error(await response.text())
    },
    close: () => server.kill(),
  }
}
