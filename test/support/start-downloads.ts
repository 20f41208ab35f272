import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Where Playwright downloads its browsers from: `PLAYWRIGHT_DOWNLOAD_HOST`. */
export interface Downloads extends AsyncDisposable {
  readonly url: string
  /** Paths of all requests so far. */
  readonly requests: readonly string[]
  /** From now on archives are there; until then each is said to be missing. */
  stock(): void
  /** From now on nobody is answered. */
  fallSilent(): void
}

/** Its archives hold programs that are the Chromium of this machine; `await using` ends it. */
export async function startDownloads(): Promise<Downloads> {
  const archive = await archiveOf({
    'chrome-linux64/chrome': '#!/bin/sh\nexec chromium "$@"\n',
    'chrome-linux-arm64/chrome': '#!/bin/sh\nexec chromium "$@"\n',
    'ffmpeg-linux': '#!/bin/sh\n',
  })
  const requests: string[] = []
  let state: 'empty' | 'stocked' | 'silent' = 'empty'
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (state === 'silent') return
    if (state === 'stocked') return void response.writeHead(200, { 'content-length': archive.length }).end(archive)
    response.writeHead(404).end("<h1>There's no such archive</h1>")
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has no other
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stock: () => (state = 'stocked'),
    fallSilent: () => (state = 'silent'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface ZipFile {
  readonly outputStream: NodeJS.ReadableStream
  addBuffer(content: Buffer, name: string, options: { readonly mode: number }): void
  end(): void
}

/** With the library that Playwright has for its own archives. */
async function archiveOf(programs: Readonly<Record<string, string>>): Promise<Buffer> {
  const bundle: { yazl: { ZipFile: new () => ZipFile } } = createRequire(import.meta.url)(
    'playwright-core/lib/utilsBundle',
  )
  const zip = new bundle.yazl.ZipFile()
  for (const [name, text] of Object.entries(programs)) zip.addBuffer(Buffer.from(text), name, { mode: 0o100755 })
  zip.end()
  return buffer(zip.outputStream)
}
