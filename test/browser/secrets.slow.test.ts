import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ModelReply } from '../support/model-server.ts'
import { skipReason } from '../support/browser-project.ts'
import { findSecret, secret } from '../support/secret-forms.ts'
import { pixelsOf } from '../support/png-pixels.ts'
import { act, ends, onlyStep, providerNames, replies, useBrowserAgent } from '../support/browser-agent.ts'

const report = act('report_step', { step: onlyStep, status: 'pass' })

/** Tells of what is typed wherever a page can. */
const telling = `<title>Shop</title><style>#p, #s { color: #f00 }</style><label>Password <input type=password id=p></label><label>Search <input type=search id=q></label>
  <button onclick="tell()">Tell</button><p role=status id=s></p>
  <script>function tell() {
    const v = p.value, all = [v, encodeURIComponent(v), btoa(unescape(encodeURIComponent(v))), JSON.stringify(v)]
    s.textContent = all.join(' | '); document.title = v; console.log(v, all); p.type = 'text'
    history.replaceState(null, '', '?v=' + encodeURIComponent(v) + '#' + all[2]); fetch('/echo?v=' + encodeURIComponent(v))
    setTimeout(() => alert('Welcome ' + v), 50)
  }</script>`

describe.skipIf(skipReason !== '')(`secrets${skipReason}`, () => {
  const agent = useBrowserAgent({ secrets: { SHOP_PASSWORD: secret }, codes: {}, origins: [] })

  test.each(providerNames)('%s: a page that tells what is typed tells the model nothing', async (provider) => {
    const url = await serve(telling)
    const { results, requests, events } = await agent.work({
      provider,
      baseUrl: url,
      script: replies(
        act('browser_navigate', { url: '/' }),
        act('type_secret', { target: '#q', name: 'SHOP_PASSWORD' }),
        act('type_secret', { target: '#p', name: '{{secret:SHOP_PASSWORD}}' }),
        act('browser_click', { target: 'button' }),
        act('browser_wait_for', { time: 1 }),
        act('browser_handle_dialog', { accept: true }),
        act('browser_snapshot', {}),
        act('browser_console_messages', {}),
        act('browser_network_requests', {}),
        act('browser_take_screenshot', {}),
        report,
        ends,
      ),
    })
    expect(results[1]).toContain('is not a password field')
    expect(results[2]).toContain("fill(process.env['SHOP_PASSWORD'])")
    expect(results.join('')).toContain('***SHOP_PASSWORD***')
    const texts = { requests: JSON.stringify(requests), events: JSON.stringify(events) }
    const [picture = ''] = /iVBORw0KGgo[\w+/=]+/.exec(texts.requests) ?? []
    const pixels = pixelsOf(Buffer.from(picture, 'base64'))
    expect(pixels.length).toBe(1280 * 720)
    expect(pixels.filter(([red = 0, green = 0]) => red > 150 && green < 100)).toEqual([])
    expect(await findSecret(secret, { folder: agent.logs, texts })).toEqual([])
  })

  test('none is typed for a page of another origin, and the work goes on', async () => {
    const form = '<label>Password <input type=password></label>'
    const foreign = await serve(`${form}<p>Type your password here</p>`)
    const own = await serve(`${form}<iframe title=Pay src="${foreign}"></iframe>`)
    const type = (target: string, name = 'SHOP_PASSWORD'): ModelReply => act('type_secret', { target, name })
    const open = (url: string): ModelReply => act('browser_navigate', { url })
    const script = replies(open(foreign), type('input'), open(own), type('input', 'OTHER'), type('input'), report, ends)
    const { results, accepted } = await agent.work({ baseUrl: own, script })
    const [at, stranger] = [own, foreign].map((url) => new URL(url).origin)
    expect(results[1]).toContain(`it may be typed at ${at} only, and this is ${stranger}`)
    expect(results[3]).toContain('There is no secret `OTHER`. There are: SHOP_PASSWORD.')
    expect(results[4]).toContain("fill(process.env['SHOP_PASSWORD'])")
    expect(accepted).toHaveLength(1)
  })
})

async function serve(body: string): Promise<string> {
  const server = createServer((_: IncomingMessage, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(`<!doctype html>${body}`),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/` // it listens
}
