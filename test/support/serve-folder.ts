import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { listen, type Listening } from './listen.ts'

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves the files of a folder; its address ends with a slash, `await using` ends it. */
export async function serveFolder(folder: string): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const file = join(folder, pathname === '/' ? 'index.html' : pathname)
    const body = await readFile(file).catch(() => undefined)
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': types[extname(file)] ?? 'application/gzip' })
    response.end(body)
  })
  const site = await listen(server)
  return { ...site, url: `${site.url}/` }
}
