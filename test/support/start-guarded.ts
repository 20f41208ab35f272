import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An application that not everybody gets into. */
export interface Guarded extends AsyncDisposable {
  /** With its protocol, no slash at the end. */
  readonly url: string
}

/** One that asks for a name and a password, and shows what it was given. */
export function startGuarded(username: string, password: string): Promise<Guarded> {
  const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const server = createHttp(({ headers, url }, response) => {
    if (headers.authorization !== wanted) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="Staging"' }).end('<h1>Who are you?</h1>')
    }
    const pair = `${username}:${password}`
    const inAddress = [username, password].map(encodeURIComponent).join(':')
    const shown = [url, wanted, pair, encodeURIComponent(pair), `http://${inAddress}@staging`, password]
    answer(response, `<h1>Welcome</h1>${shown.map((text) => `<p>${text}</p>`).join('')}`)
  })
  return listening(server, 'http')
}

/** One whose certificate it has signed itself. */
export async function startSelfSigned(): Promise<Guarded> {
  const folder = mkdtempSync(join(tmpdir(), 'cert-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  })
  const server = createHttps(
    { key: readFileSync(keyFile), cert: readFileSync(certFile) },
    (_: IncomingMessage, response) => answer(response, '<h1>Welcome</h1>'),
  )
  rmSync(folder, { recursive: true })
  return listening(server, 'https')
}

function answer(response: ServerResponse, body: string): void {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>Guarded</title>${body}`)
}

async function listening(server: Server, protocol: string): Promise<Guarded> {
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
