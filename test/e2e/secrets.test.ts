import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { verdictsOf } from '../support/json-report.ts'
import { findSecret, secret } from '../support/secret-forms.ts'

const env = { SHOP_CRED: secret }

/** Prints the secret in every form, also in two pieces; `log` and `value` are in scope of what follows. */
const talkative = `import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const value = process.env.OTHER_TOKEN ?? process.env.SHOP_CRED
const log = process.argv[2]
const forms = (text) => [text, JSON.stringify(text), encodeURIComponent(text), ...['', 'a', 'ab'].map((b) => Buffer.from(b + text).toString('base64'))]
console.log(forms(value).join('\\n'))
process.stdout.write('pieces: ' + value.slice(0, 7))
await sleep(400)
process.stdout.write(value.slice(7) + '\\n')
console.error('err ' + value)
`
const spec = '# Shop\n\nBuy a mug.\n'
const left = `mkdirSync(log.replace('.log.md', '')); writeFileSync(log.replace('.log.md', '/page.txt'), 'page ' + value)\n`
const frontMatter = (status: string): string =>
  `writeFileSync(log, '---\\nstatus: ${status}\\nsteps:\\n  - id: 1-shop\\n    status: ${status}\\n    observed: ' + JSON.stringify('saw ' + value) + '\\n---\\nI used ' + forms(value).join(' and ') + '\\n')\n`

/** Where a spec has a program of its own, that goes on. */
const dispatch = `const own = new URL(log.split('/').at(-2).replace('.logs', '.mjs'), import.meta.url)
globalThis.scope = { forms, log, mkdirSync, value, writeFileSync }
await import(own)
`

async function shop(program: string, files: Readonly<Record<string, string>> = {}): Promise<Project> {
  return createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ secrets: ['SHOP_CRED'], agent: { command: [${JSON.stringify(process.execPath)}, 'agent.mjs', '{log}'] } })] }\n`,
    'agent.mjs': talkative + program,
    'shop.test.md': spec,
    ...files,
  })
}

const cases: readonly (readonly [name: string, title: string, program: string, verdict: string])[] = [
  ['passes', 'in a log that passes and in evidence', left + frontMatter('pass'), 'pass claimed'],
  ['fails', 'in what it saw fail', left + frontMatter('fail'), 'fail STEP_FAILED'],
  ['none', 'and writes no log', '', 'fail LOG_MISSING'],
  ['broken', 'in broken YAML', `writeFileSync(log, '---\\nstatus: ["' + value + '\\n---\\n')`, 'fail LOG_INVALID_YAML'],
  [
    'cites',
    'in what it cites, where messages are cut',
    `writeFileSync(log, '---\\nstatus: pass\\nsteps:\\n  - id: 1-shop\\n    status: pass\\n    evidence: [' + JSON.stringify('x'.repeat(192) + value) + ']\\n---\\n')`,
    'fail EVIDENCE_UNKNOWN',
  ],
  [
    'status',
    'as its status',
    `writeFileSync(log, '---\\nstatus: ' + JSON.stringify('x'.repeat(50) + value) + '\\n---\\n')`,
    'fail LOG_INVALID_STATUS',
  ],
]

/** Each of its own, so that none is masked for another's sake. */
const [ofFront, ofServer, ofBlocks] = ['fr0nt', 'server', 'bl0ck'].map((word) => `${word}"t/+ü? value-43`) as [
  string,
  string,
  string,
]

const blocks = `---
agent: none
env: { OTHER_TOKEN: ${JSON.stringify(ofBlocks)} }
---

# Blocks

## Differs

\`\`\`console
$ printf '%400s' | tr ' ' x | head -c 390; echo "$OTHER_TOKEN"
nothing
\`\`\`

# Second

## Ends badly

\`\`\`sh
echo "$OTHER_TOKEN"; echo "$OTHER_TOKEN" >&2; false
\`\`\`

# Third

## Takes too long

\`\`\`sh timeout=3s
echo "$OTHER_TOKEN"; sleep 600
\`\`\`

# Fourth

## Differs in the secret

\`\`\`console
$ echo "$OTHER_TOKEN" | base64 -w0; echo
***OTHER_TOKEN***
\`\`\`
`

const server = `{ url: 'http://127.0.0.1:9/', headers: { X-Shop: ${JSON.stringify(ofServer)} } }`
const fails = `const { forms, log, writeFileSync } = scope\nconsole.log(forms(value).join('\\n'))\n${frontMatter('fail')}`

/** The secret itself stands in these alone. */
const ofSpecs = {
  'front.test.md': `---\nenv: { OTHER_TOKEN: ${JSON.stringify(ofFront)} }\n---\n\n${spec}`,
  'server.test.md': `---\nmcp-servers: { stock: ${server} }\n---\n\n${spec}`,
  'blocks.test.md': blocks,
  'server.mjs': `const value = ${JSON.stringify(ofServer)}\n${fails}`,
}

test('a secret that an agent or a block prints is nowhere, whatever it does with it', async () => {
  const files = cases.flatMap(([name, , program]) => [
    [`${name}.test.md`, spec],
    [`${name}.mjs`, `const { forms, log, mkdirSync, value, writeFileSync } = scope\n${program}`],
  ])
  await using project = await shop(dispatch, {
    ...Object.fromEntries(files),
    ...ofSpecs,
    'front.mjs': `const { value } = scope\n${fails}`,
  })
  await project.remove('shop.test.md')
  const reporters = ['json', 'verbose', 'junit'].map((name) => `--reporter=${name}`)
  const json = await project.vitest(['run', ...reporters, '--outputFile.junit=report.xml'], { env, timeoutMs: 280_000 })
  const junit = await project.read('report.xml')
  const verdicts = cases.map(([name, title]) => [title, verdictsOf(json.stdout, `${name}.test.md`)])
  expect(verdicts, json.all).toEqual(cases.map(([, title, , verdict]) => [title, [verdict]]))
  const others = ['front', 'server', 'blocks'].map((name) => verdictsOf(json.stdout, `${name}.test.md`))
  const differ = ['fail RUN_FAILED', 'fail RUN_FAILED', 'fail BLOCK_TIMEOUT', 'fail RUN_FAILED']
  expect(others).toEqual([['fail STEP_FAILED'], ['fail STEP_FAILED'], differ])
  const texts = { terminal: json.all, 'json report': json.stdout, junit }
  for (const value of [secret, ofFront, ofServer, ofBlocks]) {
    expect(await findSecret(value, { folder: project.dir, texts, except: Object.keys(ofSpecs) })).toEqual([])
    // Half a secret would not be found above.
    expect(json.all + json.stdout + junit).not.toContain(value.slice(0, 7))
  }
  expect(json.all).toContain('OTHER_TOKEN***')
  for (const [name] of cases) {
    const raw = (await readdir(project.path(`${name}.logs`))).find((file) => file.endsWith('.raw.log')) ?? ''
    expect((await project.read(`${name}.logs/${raw}`)).match(/\*\*\*SHOP_CRED\*\*\*/g)).toHaveLength(8)
  }
})

test('a listed secret that is too short is an error that does not show it', async () => {
  await using project = await shop('')
  const { exitCode, all } = await project.vitest(['run'], { env: { SHOP_CRED: 'geheim' } })
  expect(exitCode).toBe(1)
  expect(all).toContain('at least 8 characters, got fewer for `SHOP_CRED`')
  expect(all).not.toContain('geheim')
})
