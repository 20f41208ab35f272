import { mkdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { filesWith } from '../support/files-with.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { browse } from '../support/scripts/browse.ts'
import { open, see, type BrowserScript } from '../support/scripts/browser-moves.ts'
import { startGuarded, startSelfSigned } from '../support/start-guarded.ts'

const password = 's3cret/öl'
const script: BrowserScript = [[open('/'), see(/^heading "Welcome"/)]]
const spec = (lines: string): string => `---\n${lines}\n---\n\n# Open\n\nOpen the start page.\n`

describe.skipIf(skipReason !== '')(`where a browser spec runs${skipReason}`, () => {
  test('an address with a password, a certificate of its own, a temporary folder with a long path', async () => {
    await using guarded = await startGuarded('ann', password)
    await using selfSigned = await startSelfSigned()
    const address = guarded.url.replace('//', `//ann:${encodeURIComponent(password)}@`)
    await using browser = await createBrowserProject({
      script: browse({ password: script, distrusted: script, trusted: script }),
      files: {
        'password.test.md': spec(`base-url: ${address}`),
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
    const names = ['password', 'distrusted', 'trusted']
    expect(Object.fromEntries(names.map((name) => [name, verdictsOf(stdout, `${name}.test.md`)])), all).toEqual({
      password: ['pass evidenced'],
      distrusted: ['blocked BROWSER_UNAVAILABLE'],
      trusted: ['pass evidenced'],
    })
    const [message = ''] = readJsonReport(stdout)['distrusted.test.md']?.[0]?.messages ?? []
    expect(message).toMatch(
      /does not trust the certificate of https:\S+ \(net::ERR_CERT_\w+\)\. .*`ignore-https-errors: true`/,
    )

    const forms = [password, encodeURIComponent(password), Buffer.from(`ann:${password}`).toString('base64')]
    for (const form of [...forms, 's3cret']) {
      const files = filesWith(form.replaceAll(/[/+.]/g, String.raw`\$&`), project.dir)
      expect(files.filter((file) => file !== project.path('password.test.md'))).toEqual([])
      expect(all).not.toContain(form)
    }
    // The model needs none of it.
    expect(model.conversations.filter(({ system, prompt }) => `${system}${prompt}`.includes('s3cret'))).toEqual([])
    const flags = ['run', 'trusted.test.md', '--base-url', selfSigned.url, '--ignore-https-errors']
    await project.write('trusted.test.md', '# Open\n\nOpen the start page.\n')
    expect((await project.mdtest(flags, { env, timeoutMs })).exitCode).toBe(0)
  })
})
