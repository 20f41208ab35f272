// A small shop with two roles: a customer signs in by password and one-time code, the admin by a link in a mail.
import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const { PORT = '3000', SMTP_PORT = '1025', SHOP_PASSWORD = '', SHOP_TOTP_SECRET = '' } = process.env
/** Seconds until the one-time code changes */
const { SHOP_CODE_PERIOD = '30' } = process.env
const sessions = new Map()
const links = new Map()
const usedCodes = new Set()
const orders = []

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://shop')
  const form = new URLSearchParams(request.method === 'POST' ? await textOf(request) : '')
  const id = /session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const session = sessions.get(id) ?? {}
  const go = (to, cookie) => response.writeHead(303, { location: to, ...(cookie && { 'set-cookie': cookie }) }).end()
  const show = (title, body) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<!doctype html><title>${title}</title><h1>${title}</h1>${body}`)
  const signIn = (user, step, to) => {
    const fresh = randomUUID()
    sessions.set(fresh, { user, step })
    go(to, `session=${fresh}; HttpOnly; Path=/`)
  }

  if (request.method === 'POST') {
    switch (pathname) {
      case '/login': {
        const isRight = form.get('name') === 'customer' && form.get('password') === SHOP_PASSWORD
        return isRight ? signIn('customer', 'code', '/code') : go('/login?wrong')
      }
      case '/code':
        if (session.step !== 'code' || !takesCode(form.get('code'))) return go('/code?wrong')
        session.step = 'in'
        return go('/')
      case '/link': {
        const token = randomUUID()
        links.set(token, 'admin')
        const address = `http://${request.headers.host}/magic?token=${token}`
        await send(form.get('address'), 'Your link to the shop', `Sign in to the shop as admin:\n\n${address}\n`)
        return show('A link is on its way', '<p role="status">Look into your mailbox</p>')
      }
      case '/order':
        if (session.step === 'in') orders.push({ by: session.user, state: 'ordered' })
        return go('/')
      case '/ship':
        if (session.user === 'admin') for (const order of orders) order.state = 'shipped'
        return go('/')
    }
  }
  switch (pathname) {
    case '/login':
      return show(
        'Sign in',
        `${searchParams.has('wrong') ? '<p role="alert">Wrong name or password</p>' : ''}
        <form method="post"><label>Name <input name="name"></label>
        <label>Password <input type="password" name="password"></label><button>Continue</button></form>
        <form method="post" action="/link"><label>Mail address <input name="address"></label><button>Send me a link</button></form>`,
      )
    case '/code':
      return show(
        'One more step',
        `${searchParams.has('wrong') ? '<p role="alert">Wrong code</p>' : ''}
        <form method="post"><label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code"></label>
        <button>Sign in</button></form>`,
      )
    case '/magic': {
      const user = links.get(searchParams.get('token'))
      links.delete(searchParams.get('token'))
      return user === undefined ? show('This link was used', '') : signIn(user, 'in', '/')
    }
    case '/':
      if (session.step !== 'in') return go('/login')
      return show(
        'Shop',
        `<p role="status">Signed in as ${session.user}</p>
        <p>Open orders: ${orders.filter(({ state }) => state === 'ordered').length}</p>
        <form method="post" action="${session.user === 'admin' ? '/ship' : '/order'}">
        <button>${session.user === 'admin' ? 'Ship all' : 'Order a blue mug'}</button></form>`,
      )
  }
  response.statusCode = 404
  show('No such page', '')
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))

async function textOf(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** Accepts the code of the current or the previous period (RFC 6238). Each code is valid only once. */
function takesCode(code) {
  const now = Math.floor(Date.now() / 1000 / Number(SHOP_CODE_PERIOD))
  if (usedCodes.has(code) || ![now, now - 1].some((counter) => codeAt(counter) === code)) return false
  usedCodes.add(code)
  return true
}

function codeAt(counter) {
  const bits = [...SHOP_TOTP_SECRET].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))
  const moving = Buffer.alloc(8)
  moving.writeBigUInt64BE(BigInt(counter))
  const hash = createHmac('sha1', key).update(moving).digest()
  const number = hash.readUInt32BE(hash.at(-1) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

async function send(to, subject, text) {
  const socket = connect(Number(SMTP_PORT), '127.0.0.1')
  const mail = `From: Shop <shop@example.test>\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n.`
  const lines = ['EHLO shop', 'MAIL FROM:<shop@example.test>', `RCPT TO:<${to}>`, 'DATA', mail, 'QUIT']
  for await (const line of createInterface({ input: socket })) {
    if (/^\d{3} /.test(line) && lines.length > 0) socket.write(`${lines.shift()}\r\n`)
  }
}
