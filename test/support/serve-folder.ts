import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

/** A folder as a web site on 127.0.0.1. */
export interface Site extends AsyncDisposable {
  readonly url: string
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves the files of a folder; `await using` ends it. */
export async function serveFolder(folder: string): Promise<Site> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const file = join(folder, pathname === '/' ? 'index.html' : pathname)
    const body = await readFile(file).catch(() => undefined)
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': types[extname(file)] ?? 'application/gzip' })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has no other
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
