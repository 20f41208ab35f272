import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { findSecret, secret } from '../support/secret-forms.ts'
import { callOwn, playTurn, type Turn } from '../support/scripts/report-spec.ts'
import { startMailDev } from '../support/start-maildev.ts'
import type { ModelAction } from '../support/tool-dialect.ts'

const example = new URL('../../examples/shop-login/', import.meta.url)
const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
/** In seconds: each try needs a code of its own. */
const period = 6

const browserTool = (tool: string, input = {}): ModelAction => ({ kind: 'mcp', server: 'playwright', tool, input })
const refOf = (page: string, control: string): string =>
  new RegExp(`- ${control}[^\\n]*\\[ref=(\\w+)\\]`).exec(page.slice(page.lastIndexOf('### Snapshot')))?.[1] ?? control

const statusIn = (page: string): string => /- (status [^\n]*)/.exec(page)?.[1] ?? ''

function* signIn(): Turn {
  const report = (step: string, quote: string): ModelAction =>
    callOwn('report_step', {
      ...{ step, status: 'pass', evidence: [{ quote }] },
      checks: [{ n: 1, status: 'pass', evidence: [{ quote }] }],
    })
  let { text: page } = yield browserTool('browser_navigate', { url: '/login' })
  ;({ text: page } = yield browserTool('browser_type', { target: refOf(page, 'textbox "Name"'), text: 'customer' }))
  yield browserTool('type_secret', { target: refOf(page, 'textbox "Name"'), name: 'SHOP_PASSWORD' })
  ;({ text: page } = yield browserTool('type_secret', {
    ...{ target: refOf(page, 'textbox "Password"'), name: 'SHOP_PASSWORD', submit: true },
  }))
  ;({ text: page } = yield browserTool('type_secret', { target: refOf(page, 'textbox "Code"'), name: 'SHOP_CODE' }))
  ;({ text: page } = yield browserTool('browser_click', { target: refOf(page, 'button "Sign in"') }))
  yield report('1-sign-in-as-customer', statusIn(page))
  ;({ text: page } = yield browserTool('browser_navigate', { url: '/login' }))
  const { text: made } = yield browserTool('new_address')
  const address = /mdtest-\S+@\S+\.test/.exec(made)?.[0] ?? ''
  yield browserTool('browser_type', { target: refOf(page, 'textbox "Mail address"'), text: address, submit: true })
  const { text: mail } = yield browserTool('wait_for_mail', { address, subject: 'link' })
  ;({ text: page } = yield browserTool('browser_navigate', { url: /^- (http\S+)/m.exec(mail)?.[1] ?? 'none' }))
  yield report('2-sign-in-as-admin', statusIn(page))
  return 'All is done.'
}

const blocksOf = (recording: string): readonly string[] => recording.match(/```ts browser\n[^]*?\n```/g) ?? ['none']

async function startShop(smtpPort: number): Promise<string> {
  const shop = spawn(process.execPath, [new URL('shop.mjs', example).pathname], {
    env: {
      ...{ ...process.env, PORT: '0', SMTP_PORT: String(smtpPort), SHOP_CODE_PERIOD: String(period) },
      ...{ SHOP_PASSWORD: secret, SHOP_TOTP_SECRET: seed },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void shop.kill())
  const [line] = await once(shop.stdout, 'data')
  return String(line).trim()
}

describe.skipIf(skipReason !== '')(`sign-in${skipReason}`, () => {
  test('by password, code and mail is recorded and replayed, and no file and no model has a secret', async () => {
    await using mails = await startMailDev()
    const baseUrl = await startShop(mails.smtpPort)
    const spec = readFileSync(new URL('specs/sign-in.test.md', example), 'utf8')
    await using browser = await createBrowserProject({
      script: playTurn(signIn),
      options: { baseUrl, mailbox: mails.url, secrets: ['SHOP_PASSWORD'] },
      files: { 'sign-in.test.md': spec },
    })
    const { project, model } = browser
    const env = {
      ...browser.env,
      SHOP_PASSWORD: secret,
      SHOP_TOTP_SECRET: `otpauth://totp/shop?secret=${seed}&period=${period}`,
    }
    const made = await project.mdtest(['record'], { env, timeoutMs })
    expect(made.exitCode, made.all).toBe(0)
    const recorded = readFileSync(new URL('specs/sign-in.recording.md', example), 'utf8')
    expect(blocksOf(await project.read('sign-in.recording.md'))).toEqual(blocksOf(recorded))
    // Another run knows nothing of the codes of this one.
    await sleep(period * 1000)
    const replayed = await project.mdtest(['run', '--replay', 'only'], { env, timeoutMs })
    expect(replayed.exitCode, replayed.all).toBe(0)
    const texts = { requests: JSON.stringify(model.requests), made: made.all, replayed: replayed.all }
    expect(await findSecret(secret, { folder: project.dir, texts })).toEqual([])
    expect(await findSecret(seed, { folder: project.dir, texts })).toEqual([])
  })
})
