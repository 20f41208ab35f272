import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from './listen.ts'

/** A shop for two roles: customers order, admins ship. Whoever is signed in has a cookie and nothing else. */
export interface Roles extends AsyncDisposable {
  readonly url: string
  /** Who has signed in so far, one name for each time. */
  readonly logins: readonly string[]
  /** Most browsers that were at the login page at once. */
  readonly together: number
  /** A new session, as the file that Playwright saves. */
  stateOf(name: string): string
  /** Ends all sessions of a user. */
  revoke(name: string): void
}

const password = 'tulip-meadow-77'

/** Names that do not get in, and what becomes of them. */
const refused: Readonly<Record<string, readonly [status: number, words: string]>> = {
  locked: [403, 'This account is locked.'],
  limited: [429, 'Too many attempts. Try again in an hour.'],
}

/** @param loginsThatMeet browsers that wait for each other at the login page, 15 s at most */
export async function startRoles({ loginsThatMeet = 1 } = {}): Promise<Roles> {
  const sessions = new Map<string, string>()
  const orders: { readonly of: string; isShipped: boolean }[] = []
  const logins: string[] = []
  let together = 0
  let atLogin = 0
  const open = (name: string): string => {
    const id = randomUUID()
    sessions.set(id, name)
    return id
  }
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    const session = /session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const user = sessions.get(session)
    const show = (html: string, status = 200): void => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${html}`)
    }
    const goTo = (location: string, headers: object = {}): void =>
      void response.writeHead(303, { location, ...headers }).end()
    const action = `${request.method} ${request.url}`
    // What a person does by hand.
    if (action === 'GET /admit') {
      logins.push('admin')
      return goTo('/', { 'set-cookie': `session=${open('admin')}; Path=/; HttpOnly` })
    }
    if (action === 'POST /login') {
      const form = new URLSearchParams(body)
      const name = form.get('name') ?? ''
      if (name === 'hanging') return
      const [status, words] = refused[name] ?? []
      if (words !== undefined) return show(`<h1>Sign in</h1><p role=alert>${words}</p>`, status)
      if (form.get('password') !== password) return show('<h1>Sign in</h1><p role=alert>Wrong password.</p>', 403)
      logins.push(name)
      return goTo('/', { 'set-cookie': `session=${open(name)}; Path=/; HttpOnly` })
    }
    if (request.url === '/login') {
      atLogin += 1
      together = Math.max(together, atLogin)
      for (let waits = 0; together < loginsThatMeet && waits < 300; waits += 1) await sleep(50)
      atLogin -= 1
    }
    if (user === undefined || request.url === '/login')
      return show(
        '<h1>Sign in</h1><form method=post action=/login><label>Name <input name=name></label><label>Password <input name=password type=password></label><button>Sign in</button></form>',
      )
    if (action === 'POST /order') orders.push({ of: user, isShipped: false })
    if (action === 'POST /ship' && user === 'admin') for (const order of orders) order.isShipped = true
    if (request.method === 'POST') return goTo('/')
    const seen = user === 'admin' ? orders : orders.filter((order) => order.of === user)
    const list = seen
      .map(({ of, isShipped }) => `<li>Mug for ${of}: ${isShipped ? 'shipped' : 'waiting'}</li>`)
      .join('')
    const [path, label] = user === 'admin' ? ['ship', 'Ship all'] : ['order', 'Order a mug']
    show(`<h1>Orders</h1><p>Signed in as ${user}</p><ul>${list}</ul>
      <form method=post action=/${path}><button>${label}</button></form>`)
  })
  return {
    ...(await listen(server)),
    logins,
    get together() {
      return together
    },
    stateOf(name) {
      const rest = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' }
      return JSON.stringify({ cookies: [{ name: 'session', value: open(name), ...rest }], origins: [] })
    },
    revoke(name) {
      for (const [id, user] of sessions) if (user === name) sessions.delete(id)
    },
  }
}
