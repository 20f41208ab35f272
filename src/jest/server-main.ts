// The program that runs specs beside Jest, started by `startServer`. It ends when Jest ends.
import { createBirpc } from 'birpc'
import type { ServerFunctions, ServerSettings } from './protocol.ts'
import { createSpecServer, type SpecServer } from './spec-server.ts'
import { refuseDebugger } from '../system/own-package.ts'

const graceMs = 5000

refuseDebugger()
let server: SpecServer | undefined
const functions: ServerFunctions = {
  async start(settings: ServerSettings) {
    server = await createSpecServer(settings, process.env)
    return server.address
  },
  settled: async (file) => server?.settled(file) ?? {},
  async close() {
    await server?.close()
    return server?.summary() ?? []
  },
}
createBirpc<object, ServerFunctions>(functions, {
  post: (message) => void process.send?.(message),
  on: (receive) => void process.on('message', receive),
})
process.once('exit', () => server?.endNow())
process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref()
  // The server leaves no file when Jest closed it.
  server?.endNow()
  void server?.close()
})
