import { createViteServer } from 'vitest/node'
import { root } from '../../scripts/lib/run-command.ts'

/**
 * Imports TypeScript of this repository: Node 20 cannot by itself.
 * @param {readonly string[]} paths relative to the repository
 * @returns {Promise<{ modules: readonly Record<string, any>[], close: () => Promise<void> }>}
 */
export async function importSource(paths) {
  const server = await createViteServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  const modules = []
  for (const path of paths) modules.push(await server.ssrLoadModule(`/${path}`))
  return { modules, close: () => server.close() }
}
