import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen, type Listening } from './listen.ts'

/** An application that asks for a name and a password, and shows what it was given. */
export function startGuarded(username: string, password: string): Promise<Listening> {
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
  return listen(server)
}

/** An application whose certificate it has signed itself. */
export async function startSelfSigned(): Promise<Listening> {
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
  return listen(server, 'https')
}

function answer(response: ServerResponse, body: string): void {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>Guarded</title>${body}`)
}
