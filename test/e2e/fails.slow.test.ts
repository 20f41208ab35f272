import { chmod, readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verdictRecordSchema } from '../../src/records/verdict/verdict-record.ts'
import type { VerdictRecord } from '../../src/records/verdict/verdict-record.ts'
import { projectWithActingClaude } from '../support/acting-claude.ts'
import { createProject, plainConfig, type Finished, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'

const far = { timeout: 120_000 }
const shop = `# Shop

## Add a mug

Put a mug into the cart.

## Pay

Pay for it.

\`\`\`sh verify
test ! -e unpaid
\`\`\`
`
/** Each works in a folder of its own; the directive is that of the step with this text. */
const inFolder = (name: string, text = '', directive = ''): string =>
  `---\ncwd: ${name}\n---\n\n${text === '' ? shop : shop.replace(text, `<!-- mdtest: ${directive} -->\n\n${text}`)}`
const forged = `JSON.stringify({ version: 1, outcome: 'pass', steps: [] })`
const verdict = `const verdict = log.replace('.log.md', '.verdict.json'); writeLog('pass'); await own(verdict)`
const pass = `await report('1-add-a-mug', 'pass'); await report('2-pay', 'pass')`

const acts = {
  passes: `writeLog('pass')`,
  retried: `writeFileSync('unpaid', ''); writeLog('pass')`,
  forged: `const own = async (verdict) => writeFileSync(verdict, ${forged}); writeFileSync('unpaid', ''); ${verdict}`,
  locked: `const own = async (verdict) => { writeFileSync(verdict, ${forged}); (await import('node:fs')).chmodSync(verdict, 0o400) }; writeFileSync('unpaid', ''); ${verdict}`,
  folder: `const own = async (verdict) => (await import('node:fs')).mkdirSync(verdict + '/sub', { recursive: true }); writeFileSync('unpaid', ''); ${verdict}`,
  gone: `writeLog('pass'); const { rmSync } = await import('node:fs'); const { dirname } = await import('node:path'); rmSync(dirname(log), { recursive: true }); writeFileSync(dirname(log), '')`,
  broken: `writeLog('pass'); (await import('node:fs')).rmSync(process.cwd(), { recursive: true })`,
  late: `if (start === 1) await forever(); ${pass}`,
  lost: '',
}

describe('the verdict on disk', () => {
  let project: Project
  let env: Readonly<Record<string, string>>
  let run: Finished
  const verdictsIn = async (name: string): Promise<readonly VerdictRecord[]> => {
    const names = (await readdir(project.path(`${name}.logs`))).filter((file) => file.endsWith('.verdict.json'))
    const texts = await Promise.all(names.map((file) => project.read(`${name}.logs/${file}`)))
    const records = texts.map((text) => verdictRecordSchema.parse(JSON.parse(text)))
    return records.toSorted((one, other) => one.attempt - other.attempt)
  }
  beforeAll(async () => {
    const names = Object.keys(acts)
    const opened = await projectWithActingClaude(
      acts,
      {
        ...Object.fromEntries(names.map((name) => [`${name}/file`, ''])),
        ...Object.fromEntries(names.map((name) => [`${name}.test.md`, inFolder(name)])),
        'retried.test.md': inFolder('retried', 'Pay for', 'retry=1'),
        'late.test.md': inFolder('late', 'Put', 'retry=1 timeout=20s'),
      },
      "minAssurance: 'claimed'",
    )
    ;({ project, env } = opened)
    run = await project.vitest(['run', '--reporter=json', '--reporter=default'], { env })
  })
  afterAll(() => project[Symbol.asyncDispose]())

  test('is there for an agent that writes its log itself, step by step', async () => {
    const [record] = await verdictsIn('passes')
    expect(record, run.all).toMatchObject({
      spec: 'passes.test.md',
      scenario: 'Shop',
      attempt: 1,
      agent: 'claude',
      outcome: 'pass',
      steps: [
        { id: '1-add-a-mug', title: 'Add a mug', line: 7, outcome: 'pass', assurance: 'claimed', reasons: [] },
        { id: '2-pay', title: 'Pay', line: 11, outcome: 'pass', assurance: 'verified', reasons: [] },
      ],
      usage: { durationMs: expect.any(Number) },
    })
    expect(record?.steps.every(({ durationMs }) => durationMs > 0)).toBe(true)
  })

  test('is one for each attempt, and says what failed', async () => {
    const records = await verdictsIn('retried')
    expect(records.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'fail'],
      [2, 'fail'],
    ])
    expect(records[0]?.steps[1]).toMatchObject({ outcome: 'fail', reasons: [{ code: 'VERIFY_FAILED' }] })
  })

  test.for(['forged', 'locked', 'folder'])('replaces what the agent put there: %s', async (name) => {
    expect(await verdictsIn(name)).toMatchObject([{ outcome: 'fail', steps: [{}, {}] }])
  })

  test('that cannot be written hides no other reason, and is not there when the scenario broke off', async () => {
    expect(verdictsOf(run.stdout, 'gone.test.md')[0]).toContain('LOG_UNREADABLE')
    expect(await verdictsIn('broken')).toEqual([])
  })

  test('has all steps also where Vitest stops at the first that fails', async () => {
    const { exitCode } = await project.vitest(['run', 'lost.test.md', '--bail=1'], { env })
    expect(exitCode).toBe(1)
    const lost = { outcome: 'fail', steps: [{ outcome: 'fail' }, { outcome: 'skipped' }] }
    expect(await verdictsIn('lost')).toMatchObject([lost, lost])
  })

  test('is a pass at the second try of a step that failed for want of time at its first', () => {
    expect(verdictsOf(run.stdout, 'late.test.md'), run.all).toEqual(['pass claimed', 'pass verified'])
  })
})

test('an agent that is blocked too often blocks the step; one without access is not started again; limits bind all runs', async () => {
  const say = (line: string): string => `say(${line})`
  const called = `${say(`{ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' }`)}
${say(`{ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'add mug' } }] } }`)}
${say(`{ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'added' }] } }`)}`
  const { project: opened, env } = await projectWithActingClaude(
    {
      hangs: `if (start === 1) await report('1-shop', 'pass'); else await forever()`,
      spends: `${called}
writeLog('pass')
${say(`{ type: 'result', is_error: false, subtype: 'success', num_turns: 1, usage: { input_tokens: 90, output_tokens: 10 } }`)}`,
      denied: say(`{ type: 'result', is_error: true, api_error_status: 401, result: 'Please run /login' }`),
    },
    {
      'hangs.test.md': `---\ntimeout: 10s\n---\n\n# Shop\n\n<!-- mdtest: repeats=3 require=2 -->\n\nPut a mug into the cart.\n`,
      'spends.test.md': '# Shop\n\n<!-- mdtest: repeats=5 -->\n\nPut a mug into the cart.\n',
      'denied.test.md': '# Shop\n\n<!-- mdtest: repeats=3 retry=1 -->\n\nPut a mug into the cart.\n',
    },
    "minAssurance: 'claimed'",
  )
  await using project = opened
  const { stdout } = await project.vitest(['run', '--reporter=json', 'hangs', 'denied'], { env })
  const [hangs] = readJsonReport(stdout)['hangs.test.md'] ?? []
  expect(hangs).toMatchObject({ outcome: 'blocked', codes: ['AGENT_TIMEOUT'], rate: { passed: 1, runs: 3 } })
  expect(hangs?.messages?.[0]).toContain('Run 2, 3: ')
  expect(stdout).toContain('blocked: passed in 1 of 3 runs, 2 required')
  expect(readJsonReport(stdout)['denied.test.md']).toMatchObject([
    { codes: ['AGENT_AUTH'], rate: { passed: 0, runs: 1, required: 3 } },
  ])
  expect((await project.read('starts-denied')).trim().split('\n')).toHaveLength(1)

  await project.write(
    'vitest.config.js',
    (await project.read('vitest.config.js')).replace(
      "agent: 'claude'",
      "agent: 'claude', maxTokens: 150, maxRunTokens: 200",
    ),
  )
  const spent = await project.vitest(['run', '--reporter=json', 'spends'], { env })
  const [only] = readJsonReport(spent.stdout)['spends.test.md'] ?? []
  expect(only).toMatchObject({ codes: ['AGENT_BUDGET'], rate: { passed: 2, runs: 3, required: 5 } })
  expect(only?.messages?.[0]).toContain('Run 3: No agent was started: the run has used 200 tokens')
  expect(only?.usage).toMatchObject({ inputTokens: 180, outputTokens: 20 })
})

test('an interrupted run starts no further one, and one that is killed leaves no verdict', async () => {
  const { project: opened, env } = await projectWithActingClaude(
    { shop: `writeLog('pass'); await forever()` },
    { 'shop.test.md': '# Shop\n\n<!-- mdtest: repeats=3 -->\n\nPut a mug into the cart.\n' },
  )
  await using project = opened
  const isAtWork = async (): Promise<boolean> => {
    const names = await readdir(project.path('shop.logs')).catch(() => [])
    return names.some((name) => name.endsWith('.log.md'))
  }
  const killed = project.start('vitest', ['run'], { env })
  await expect.poll(isAtWork, far).toBe(true)
  killed.kill('SIGKILL')
  await killed
  const verdicts = (await readdir(project.path('shop.logs'))).filter((name) => name.endsWith('.verdict.json'))
  expect(verdicts).toEqual([])
  const { stdout } = await project.mdtest(['show'])
  expect(stdout).toContain('There is no verdict: the run did not come to its end.\n  The log says pass.')

  await project.remove('starts-shop')
  const interrupted = project.start('mdtest', ['run', '--headless'], { env })
  await expect.poll(() => project.read('starts-shop').catch(() => ''), far).not.toBe('')
  interrupted.kill('SIGINT')
  expect((await interrupted).exitCode).toBe(130)
  expect((await project.read('starts-shop')).trim().split('\n')).toHaveLength(1)
})

test('a question before the first session is named, with the way out, where nobody can answer it', async () => {
  // Asks before it begins, as if somebody could see it; of a spec that says so it waits for an answer.
  const program = `#!/bin/sh
printf '\\033[1mDo you trust the files?\\033[0m\\n 1. Yes, I trust this folder\\n 2. No, exit\\n'
case "$*" in *patient.test.md*) exec sleep 600;; esac
exit 1
`
  await using project = await createProject({
    'vitest.config.js': plainConfig.replace('mdtest()', "mdtest({ agent: 'claude', executor: 'agent' })"),
    'bin/claude': program,
    'hasty.test.md': '# Hasty\n\n## Add a mug\n\nPut a mug into the cart.\n',
    'patient.test.md': '# Patient\n\n## Add a mug\n\nPut a mug into the cart.\n',
  })
  await chmod(project.path('bin/claude'), 0o755)
  const env = { PATH: `${project.path('bin')}:${process.env.PATH}`, NO_COLOR: '1' }
  const { all, exitCode } = await project.mdtest(['run', '--headless', '--silence-timeout', '5s'], { env })
  const question =
    'asks whether to trust this folder: answer it in the terminal (`mdtest run`), or start `claude` there'
  expect(all).toContain(`AGENT_CRASHED: The agent \`claude\` wrote no result log: it ${question}`)
  expect(all).toMatch(/AGENT_SILENT: The agent `claude` was stopped after 5000 ms without a sign of life/)
  expect(all).toContain(`It ${question}`)
  expect(all).toContain('0 passed, 0 failed, 2 blocked')
  expect(exitCode).toBe(1)
})
