import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { act, ends, onlyStep, providerNames, providers, replies, useBrowserAgent } from '../support/browser-agent.ts'
import type { Conversation } from '../support/conversation.ts'
import { recordByHand } from '../support/hand-recording.ts'
import { happensWithin, leftAfter } from '../support/leftovers.ts'
import { listen } from '../support/listen.ts'
import type { ModelReply, ModelScript } from '../support/model-server.ts'
import { redDot, redPixels } from '../support/red-pixels.ts'
import { callOwn, playTurn, type Turn } from '../support/scripts/report-spec.ts'
import { fileName } from '../support/scripts/role-scripts.ts'
import { findSecret, secret } from '../support/secret-forms.ts'
import type { ModelAction } from '../support/tool-dialect.ts'

const report = act('report_step', { step: onlyStep, status: 'pass' })
const tool = (name: string, input = {}): ModelAction => ({ kind: 'mcp', server: 'playwright', tool: name, input })

/** How many calls a model makes before it reports. */
const callCount = 10
const isSeen = ({ results }: Conversation): boolean => results.length >= callCount

/** Types the secret and looks at everything that repeats it; then the model passes, fails or falls silent. */
const visit = (ending: string): ModelScript =>
  playTurn(function* (): Turn<string | ModelReply> {
    yield tool('browser_navigate', { url: '/' })
    yield tool('type_secret', { target: '#q', name: 'SHOP_PASSWORD' })
    yield tool('type_secret', { target: '#p', name: '{{secret:SHOP_PASSWORD}}' })
    yield tool('browser_click', { target: 'button' })
    yield tool('browser_wait_for', { time: 1 })
    yield tool('browser_handle_dialog', { accept: true })
    const { text } = yield tool('browser_snapshot')
    yield tool('browser_console_messages')
    yield tool('browser_network_requests')
    yield tool('browser_take_screenshot')
    if (ending === 'hangs') return { kind: 'silence' }
    const status = ending === 'passes' ? 'pass' : 'fail'
    yield callOwn('report_step', { step: onlyStep, status, observed: text.slice(0, 5000) })
    return 'All is done.'
  })

const recorded = `await page.goto('/')
await page.getByLabel('Password').fill(secret('SHOP_PASSWORD'))
await page.getByRole('button').click()
await dialog.accept()`

/** Repeats what is typed wherever a page can, and so often that a border between two chunks cuts it. */
const telling = `<title>Shop</title><style>#p, #s { color: #f00 }</style><label>Password <input type=password id=p></label><label>Search <input type=search id=q></label>
  <button onclick="tell()">Tell</button><p id=d></p><p role=status id=s></p>
  <script>function tell() {
    const v = p.value, all = [v, encodeURIComponent(v), btoa(unescape(encodeURIComponent(v))), JSON.stringify(v), (v + ' ').repeat(4000)]
    d.textContent = 'Told'
    s.textContent = all.join(' | '); document.title = v; console.log(v, all); p.type = 'text'
    history.replaceState(null, '', '?v=' + encodeURIComponent(v) + '#' + all[2]); fetch('/echo?v=' + encodeURIComponent(v))
    setTimeout(() => alert('Welcome ' + v), 50)
  }</script>`

describe.skipIf(skipReason !== '')(`secrets${skipReason}`, () => {
  const agent = useBrowserAgent({ secrets: { SHOP_PASSWORD: secret }, codes: {}, origins: [] })

  test.each(providerNames)('%s: a page that repeats what is typed tells model and files nothing', async (provider) => {
    const { model: name, base } = providers[provider]
    const url = await serve(telling)
    const spec = (more = ''): string => `---\nagent: browser\nbase-url: ${url}\n${more}---\n\n# Look\n\nLook.\n`
    const replay = (line: string): string =>
      recordByHand(spec(), { bodies: { Look: `\`\`\`ts browser\n${recorded}\nawait see('${line}')\n\`\`\`` } })
    await using browser = await createBrowserProject({
      script: (conversation) => visit(fileName(conversation))(conversation),
      config: (modelUrl) => `import { mdtest } from 'vitest-mdtest'
const options = { agent: 'browser', minAssurance: 'observed', provider: '${provider}', model: '${name}', secrets: ['SHOP_PASSWORD'], maxAgents: 4 }
export default { plugins: [mdtest({ ...options, providerUrl: '${modelUrl}${base}' })], test: { maxWorkers: 5 } }
`,
      files: {
        ...Object.fromEntries(['passes', 'fails', 'hangs'].map((one) => [`${one}.test.md`, spec()])),
        ...Object.fromEntries(['again', 'misses'].map((one) => [`${one}.test.md`, spec()])),
        'again.recording.md': replay('paragraph: Told'),
        'misses.recording.md': replay('paragraph: Nothing'),
      },
    })
    const { project, model } = browser
    const keys = Object.fromEntries(
      ['OPENAI', 'ANTHROPIC', 'AZURE_OPENAI', 'GOOGLE'].map((one) => [`${one}_API_KEY`, 'k']),
    )
    const env = { ...browser.env, ...keys, SHOP_PASSWORD: secret }
    const run = project.start('mdtest', ['run', '--replay', 'auto'], { env, timeoutMs })
    let all = ''
    run.all?.on('data', (text) => (all += String(text)))
    const isHanging = (): boolean => model.conversations.some((each) => fileName(each) === 'hangs' && isSeen(each))
    const ended = ['passes', 'fails', 'again', 'misses']
    const isOver = (): boolean => ended.every((one) => all.includes(`${one}.test.md (`)) && isHanging()
    expect(await happensWithin(timeoutMs, isOver), all).toBe(true)
    run.kill('SIGKILL')
    await run.catch(() => undefined)
    expect(await leftAfter(project.dir)).toEqual([])
    const marks = ended.map((one) => /(.) \S+ $/.exec(all.slice(0, all.indexOf(`${one}.test.md (`)))?.[1])
    expect(marks, all).toEqual([...'✓❯✓❯'])
    const texts = { requests: JSON.stringify(model.requests), all }
    expect(texts.requests).toContain('***SHOP_PASSWORD***')
    expect(await findSecret(secret, { folder: project.dir, texts })).toEqual([])
    const shots = [...texts.requests.matchAll(/(?:iVBORw0KGgo|\/9j\/)[\w+/=]{1000,}/g)].map(([data]) => data)
    const files = readdirSync(project.dir, { recursive: true, encoding: 'utf8' }).filter((one) =>
      /\.(?:png|jpe?g)$/.test(one),
    )
    const kept = files
      .filter((one) => !one.startsWith('node_modules'))
      .map((one) => readFileSync(project.path(one), 'base64'))
    expect([shots.length, kept.length].every((count) => count >= 2)).toBe(true)
    expect(await redPixels([...shots, ...kept])).toEqual([...shots, ...kept].map(() => 0))
    expect(await redPixels([redDot])).toEqual([1])
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
  const site = await listen(server)
  onTestFinished(() => site[Symbol.asyncDispose]())
  return `${site.url}/`
}
