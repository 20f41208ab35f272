import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export interface SentMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

export interface MailDev extends AsyncDisposable {
  readonly url: string
  readonly smtpPort: number
  send(mail: SentMail): Promise<void>
}

/** A real MailDev on free ports. */
export async function startMailDev(): Promise<MailDev> {
  const [smtpPort, webPort] = [await freePort(), await freePort()]
  const folder = dirname(createRequire(import.meta.url).resolve('maildev/package.json'))
  const args = ['--smtp', String(smtpPort), '--web', String(webPort), '--ip', '127.0.0.1', '--web-ip', '127.0.0.1']
  const child = spawn(process.execPath, [join(folder, 'bin/maildev'), ...args], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${webPort}`
  for (let left = 300; !(await answers(`${url}/email`)); left -= 1) {
    if (left === 0) throw new Error('MailDev does not start.')
    await sleep(100)
  }
  return {
    url,
    smtpPort,
    send: (mail) => sendMail(smtpPort, mail),
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function sendMail(port: number, { to, subject, text, html }: SentMail): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const parts = [`--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`]
  if (html !== undefined) parts.push(`--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`)
  const head = `From: Shop <shop@example.test>\r\nTo: ${to}\r\nSubject: ${subject}\r\nMIME-Version: 1.0`
  const body = `${head}\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n${parts.join('\r\n')}\r\n--b--\r\n.`
  const lines = ['EHLO test', 'MAIL FROM:<shop@example.test>', `RCPT TO:<${to}>`, 'DATA', body, 'QUIT']
  for await (const line of createInterface({ input: socket })) {
    // `250-` announces another line.
    if (/^\d{3} /.test(line) && lines.length > 0) socket.write(`${lines.shift()}\r\n`)
  }
}
