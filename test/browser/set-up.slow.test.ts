import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Conversation } from '../support/conversation.ts'
import { filesWith } from '../support/files-with.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { open, see, type BrowserScript } from '../support/scripts/browser-moves.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startGuarded, startSelfSigned } from '../support/start-guarded.ts'
import { startShop } from '../support/start-shop.ts'

const password = 's3cret/öl'
/** Shorter than a word, it is a secret beside its name alone. */
const short = 'k3/y'
const script: BrowserScript = [[open('/'), see(/^heading "Welcome"/)]]
const spec = (lines: string): string => `---\n${lines}\n---\n\n# Open\n\nOpen the start page.\n`

describe.skipIf(skipReason !== '')(`where a browser spec runs${skipReason}`, () => {
  test('an address with a password, a certificate of its own, a temporary folder with a long path', async () => {
    await using guarded = await startGuarded('ann', password)
    await using guardedShort = await startGuarded('ann', short)
    await using selfSigned = await startSelfSigned()
    const addressOf = ({ url }: { readonly url: string }, secret: string): string =>
      url.replace('//', `//ann:${encodeURIComponent(secret)}@`)
    await using browser = await createBrowserProject({
      script: browse({ password: script, short: script, distrusted: script, trusted: script }),
      files: {
        'password.test.md': spec(`base-url: ${addressOf(guarded, password)}`),
        'short.test.md': spec(`base-url: ${addressOf(guardedShort, short)}`),
        'distrusted.test.md': spec(`base-url: ${selfSigned.url}`),
        'trusted.test.md': spec(`base-url: ${selfSigned.url}\nignore-https-errors: true`),
      },
    })
    const { project, model, env } = browser
    const deep = project.path('a-temporary-folder-of-49-characters-and-a-few-more-of-them')
    await mkdir(deep)
    const { stdout, all } = await project.mdtest(['run', '--reporter=json', '--report'], {
      env: { ...env, TMPDIR: deep },
      timeoutMs,
    })
    const names = ['password', 'short', 'distrusted', 'trusted']
    expect(Object.fromEntries(names.map((name) => [name, verdictsOf(stdout, `${name}.test.md`)])), all).toEqual({
      password: ['pass evidenced'],
      short: ['pass evidenced'],
      distrusted: ['blocked BROWSER_UNAVAILABLE'],
      trusted: ['pass evidenced'],
    })
    const [message = ''] = readJsonReport(stdout)['distrusted.test.md']?.[0]?.messages ?? []
    expect(message).toMatch(
      /does not trust the certificate of https:\S+ \(net::ERR_CERT_\w+\)\. .*`ignore-https-errors: true`/,
    )

    const base64 = (text: string): string => Buffer.from(text).toString('base64')
    const ofPair = [password, short].flatMap((secret) => [
      `ann:${secret}`,
      `ann:${encodeURIComponent(secret)}@`,
      encodeURIComponent(`ann:${secret}`),
      base64(`ann:${secret}`),
    ])
    for (const form of [...ofPair, password, encodeURIComponent(password), 's3cret']) {
      const files = filesWith(form.replaceAll(/[/+.]/g, String.raw`\$&`), project.dir)
      const own = ['password', 'short'].map((name) => project.path(`${name}.test.md`))
      expect(files.filter((file) => !own.includes(file))).toEqual([])
      expect(all).not.toContain(form)
    }
    // The model needs none of it.
    expect(model.conversations.filter(({ system, prompt }) => /s3cret|ann:k3/.test(`${system}${prompt}`))).toEqual([])
    const flags = ['run', 'trusted.test.md', '--base-url', selfSigned.url, '--ignore-https-errors']
    await project.write('trusted.test.md', '# Open\n\nOpen the start page.\n')
    expect((await project.mdtest(flags, { env, timeoutMs })).exitCode).toBe(0)
  })
})

const plain = (name: string): string =>
  readFileSync(new URL(`../../fixtures/shop/plain/${name}`, import.meta.url), 'utf8')

function isIdle({ prompt }: Conversation): boolean {
  return prompt.includes('Idle:')
}

const reportAtOnce = playTurn(function* () {
  yield callOwn('report_step', { step: '1-log-in', status: 'pass' })
  return 'Logged in.'
})

describe.skipIf(skipReason !== '')(`a folder of plain markdown${skipReason}`, () => {
  test('is carried out, with what its login left in the browser: once for all specs; one that did nothing blocks', async () => {
    await using shop = await startShop()
    await using browser = await createBrowserProject({
      script: (conversation) => (isIdle(conversation) ? reportAtOnce : browse(shopScripts))(conversation),
      files: {
        'plain/AUTH_LOGIN.md': plain('AUTH_LOGIN.md'),
        'plain/orders.md': plain('orders.md'),
        'plain/Photo.MD': plain('Photo.MD'),
        'plain/reports/old.md': '# No spec\n',
        'plain/idle/AUTH_LOGIN.md': 'Idle: do nothing.\n',
        'plain/idle/orders.md': plain('orders.md'),
      },
    })
    const { project, model, env } = browser
    const args = ['run', 'plain', '--agent', 'browser', '--base-url', shop.url, '--provider-url', `${model.url}/v1`]
    const { exitCode, all } = await project.mdtest(args, { env, timeoutMs })
    expect(exitCode, all).toBe(1)
    expect(all).toContain('steps: 2 passed: 2 observed; 1 blocked')
    expect(all).toContain('blocked: LOGIN_FAILED')
    expect(all).toContain('`plain/idle/AUTH_LOGIN.md` did not pass: the agent reports a pass and did nothing.')
    const begun = model.conversations.filter(({ isSideRequest, results }) => !isSideRequest && results.length === 0)
    expect(begun.map(specName).toSorted()).toEqual(['AUTH_LOGIN', 'AUTH_LOGIN', 'Photo', 'orders'])
    const seen = model.conversations.flatMap(({ results }) => results.map(({ text }) => text)).join('\n')
    expect(new Set(seen.match(/You are visitor \d+/g))).toEqual(new Set(['You are visitor 1']))
  })
})
