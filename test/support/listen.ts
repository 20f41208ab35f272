import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on a free port of this machine. */
export interface Listening extends AsyncDisposable {
  /** No slash at the end. */
  readonly url: string
}

/** Has it listen on 127.0.0.1; `await using` ends it with its connections. */
export async function listen(server: Server, protocol = 'http'): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens
  return {
    url: `${protocol}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
