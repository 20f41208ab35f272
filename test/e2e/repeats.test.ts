import { chmod, readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { verdictRecordSchema } from '../../src/records/verdict/verdict-record-schema.ts'
import type { VerdictRecord } from '../../src/records/verdict/verdict-record.ts'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'

/** Counts its runs in a file of the root; each run has a folder and a shell of its own. */
const counting = `---
agent: none
cwd: temp
---

# Counter

<!-- mdtest: repeats=5 require=4 -->

## Setup

\`\`\`sh
test ! -e left-over && test -z "$kept"
touch left-over
kept=yes
echo setup >> "$TESTDIR/trace"
\`\`\`

## Count

\`\`\`sh
n=$(grep -c setup "$TESTDIR/trace")
\`\`\`

## Now and then

\`\`\`sh
echo "run $n" >> "$TESTDIR/trace"
case "$FAIL_AT" in *$n*) false;; esac
\`\`\`

## Behind

\`\`\`sh
echo behind >> "$TESTDIR/trace"
\`\`\`

## Teardown

\`\`\`sh
echo teardown >> "$TESTDIR/trace"
\`\`\`
`
const config = { 'vitest.config.js': plainConfig }
const failingAt = (runs: string): string => counting.replace('cwd: temp\n', `cwd: temp\nenv: { FAIL_AT: "${runs}" }\n`)

/** A shop whose agent is this program; \`log\` and \`n\`, the number of the run, are in scope of it. */
function shop(program: string, options = 'repeats: 3, require: 2'): Promise<Project> {
  return createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nconst agent = import.meta.dirname + '/agent.mjs'\nexport default { plugins: [mdtest({ agent: { command: [${JSON.stringify(process.execPath)}, agent, '{log}', '{prompt}'] }, ${options} })] }\n`,
    'agent.mjs': `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
const [log, prompt] = process.argv.slice(2)
appendFileSync('runs', /[0-9a-f]{32}/.exec(prompt)[0] + '\\n')
const n = readFileSync('runs', 'utf8').split('\\n').length - 1
const write = (status) => writeFileSync(log, '---\\nstatus: ' + status + '\\n---\\n')
${program}
`,
    'shop.test.md': '# Shop\n\n## Add a mug\n\nPut a mug into the cart.\n\n## Pay\n\nPay for it.\n',
  })
}

async function verdictsIn(project: Project): Promise<readonly VerdictRecord[]> {
  const names = (await readdir(project.path('shop.logs'))).filter((name) => name.endsWith('.verdict.json'))
  const texts = await Promise.all(names.map((name) => project.read(`shop.logs/${name}`)))
  const records = texts.map((text) => verdictRecordSchema.parse(JSON.parse(text)))
  return records.toSorted((one, other) => (one.repeat?.run ?? 0) - (other.repeat?.run ?? 0))
}

test('a step passes by its rate; each run has a directory, a shell, a set-up and a tear-down of its own', async () => {
  await using project = await createProject({ ...config, 'a.test.md': failingAt('2') })
  const { stdout, exitCode, all } = await project.vitest(['run', '--reporter=json'])
  expect(exitCode, all).toBe(0)
  // The signal of the first test comes to all runs of all steps.
  expect(all).not.toContain('MaxListenersExceededWarning')
  expect(readJsonReport(stdout)['a.test.md']?.map(({ rate }) => rate)).toEqual([
    { passed: 5, runs: 5, required: 4 },
    { passed: 4, runs: 5, required: 4 },
    { passed: 4, runs: 5, required: 4 },
  ])
  const runs = [1, 2, 3, 4, 5].map((n) => `setup\nrun ${n}\n${n === 2 ? '' : 'behind\n'}teardown\n`)
  expect(await project.read('trace')).toBe(runs.join(''))
  await project.write('trace', '')
  const junit = await project.vitest(['run', '--reporter=junit'])
  expect(junit.stdout).toContain('<property name="mdtest:rate" value="passed in 4 of 5 runs, 4 required">')
})

test('a step that passes too rarely fails with its rate and the runs that failed', async () => {
  await using project = await createProject({ ...config, 'a.test.md': failingAt('2 4') })
  const { stdout, exitCode } = await project.vitest(['run', '--reporter=json'])
  expect(exitCode).toBe(1)
  expect(verdictsOf(stdout, 'a.test.md')).toEqual(['pass verified', 'fail RUN_FAILED', 'skipped PREDECESSOR_FAILED'])
  expect(stdout).toContain('StepFailure: passed in 3 of 5 runs, 4 required\\nRUN_FAILED: Run 2, 4: The script ended')
  expect(stdout).toContain(`${project.path('a.test.md')}:30:1`)
})

test('a filter makes all runs up to the chosen step', async () => {
  await using project = await createProject({ ...config, 'a.test.md': failingAt('2') })
  const { stdout, exitCode } = await project.vitest(['run', '--reporter=json', '-t', 'Now and then'])
  expect(exitCode).toBe(0)
  expect(readJsonReport(stdout)['a.test.md']?.[1]?.rate).toEqual({ passed: 4, runs: 5, required: 4 })
  expect(await project.read('trace')).not.toContain('behind')
})

test('a block that skips its scenario does so in the first run', async () => {
  const spec = `---\nagent: none\nrepeats: 3\n---\n\n# A\n\n## One\n\n\`\`\`sh\necho one >> trace\n\`\`\`\n\n## Two\n\n\`\`\`sh\necho no database; exit 80\n\`\`\`\n`
  await using project = await createProject({ ...config, 'a.test.md': spec })
  const { stdout, exitCode, all } = await project.vitest(['run', '--reporter=json'])
  expect(exitCode, all).toBe(0)
  expect(verdictsOf(stdout, 'a.test.md')).toEqual(['pass verified', 'skipped SKIPPED_BY_BLOCK'])
  expect(await project.read('trace')).toBe('one\n')
})

test('`-u` writes what the last run printed, and nothing into a step that is expected to fail', async () => {
  const transcript = '```console\n$ echo new\nold\n```\n'
  const spec = `---\nagent: none\nrepeats: 2\n---\n\n# A\n\n## One\n\n${transcript}\n## Known\n\n<!-- mdtest: fails -->\n\n${transcript}`
  await using project = await createProject({ ...config, 'a.test.md': spec })
  const { exitCode, all } = await project.vitest(['run', '-u'])
  expect(exitCode, all).toBe(0)
  expect(await project.read('a.test.md')).toBe(spec.replace('old', 'new'))
})

describe('an agent', () => {
  test('is started anew for each run, with a log and a verdict of its own that tell the rate', async () => {
    await using project = await shop(`write(n === 2 ? 'fail' : 'pass')`)
    const { stdout, exitCode, all } = await project.vitest(['run', '--reporter=json'])
    expect(exitCode, all).toBe(0)
    expect(readJsonReport(stdout)['shop.test.md']).toMatchObject([
      { outcome: 'pass', rate: { passed: 3, runs: 3, required: 2 }, usage: { durationMs: expect.any(Number) } },
      { outcome: 'pass', rate: { passed: 2, runs: 3, required: 2 } },
    ])
    expect(all).toContain('agents: 1 scenario, 3 starts')
    const ids = (await project.read('runs')).trim().split('\n')
    expect(new Set(ids).size).toBe(3)
    const records = await verdictsIn(project)
    expect(records.map(({ run }) => run).toSorted()).toEqual(ids.toSorted())
    expect(records.map(({ repeat }) => repeat)).toEqual([1, 2, 3].map((run) => ({ run, of: 3, required: 2 })))
    expect(records.map(({ steps }) => steps.map(({ passedRuns }) => passedRuns))).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
    ])
    const { stdout: shown } = await project.mdtest(['show', 'shop.test.md'])
    expect(shown).toContain('run 3 of 3, 2 required')
    expect(shown).toMatch(/2-pay .*passed in 2 of 3 runs/)
  })

  test('that is blocked too often blocks the step', async () => {
    await using project = await shop(
      `if (n === 1) write('pass'); else setInterval(() => {}, 1000)`,
      'repeats: 3, require: 2, hardTimeoutMs: 1000',
    )
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    const tests = readJsonReport(stdout)['shop.test.md'] ?? []
    expect(tests[0]).toMatchObject({ outcome: 'blocked', codes: ['AGENT_TIMEOUT'], rate: { passed: 1, runs: 3 } })
    expect(tests[0]?.messages?.[0]).toContain('Run 2, 3: ')
    expect(stdout).toContain('blocked: passed in 1 of 3 runs, 2 required')
  })

  test('that has no access is not started again', async () => {
    await using project = await createProject({
      'vitest.config.js': plainConfig.replace('mdtest()', `mdtest({ agent: 'claude', repeats: 3 })`),
      'bin/claude': `#!/bin/sh\necho start >> runs\necho '{"type":"result","is_error":true,"api_error_status":401,"result":"Please run /login"}'\n`,
      'shop.test.md': '# Shop\n\nPut a mug into the cart.\n',
    })
    await chmod(project.path('bin/claude'), 0o755)
    const env = { PATH: `${project.path('bin')}:${process.env.PATH}` }
    const { stdout } = await project.vitest(['run', '--reporter=json', '--retry=1'], { env })
    expect(readJsonReport(stdout)['shop.test.md']?.[0]).toMatchObject({
      codes: ['AGENT_AUTH'],
      rate: { passed: 0, runs: 1, required: 3 },
    })
    expect(await project.read('runs')).toBe('start\n')
  })

  test('is bound by the limits of each run and of all together', async () => {
    await using project = await createProject({
      'vitest.config.js': plainConfig.replace(
        'mdtest()',
        `mdtest({ agent: 'claude', repeats: 5, maxTokens: 150, maxRunTokens: 200 })`,
      ),
      'bin/claude': `#!${process.execPath}
import { writeFileSync } from 'node:fs'
const prompt = process.argv.at(-1)
const say = (line) => console.log(JSON.stringify(line))
say({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' })
say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'add mug' } }] } })
say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'added' }] } })
writeFileSync(/^Result log: (.*)$/m.exec(prompt)[1], '---\\nstatus: pass\\n---\\n')
say({ type: 'result', is_error: false, subtype: 'success', num_turns: 1, usage: { input_tokens: 90, output_tokens: 10 } })
`,
      'bin/package.json': '{ "type": "module" }\n',
      'shop.test.md': '# Shop\n\nPut a mug into the cart.\n',
    })
    await chmod(project.path('bin/claude'), 0o755)
    const env = { PATH: `${project.path('bin')}:${process.env.PATH}` }
    const { stdout } = await project.vitest(['run', '--reporter=json'], { env })
    const [only] = readJsonReport(stdout)['shop.test.md'] ?? []
    expect(only).toMatchObject({ codes: ['AGENT_BUDGET'], rate: { passed: 2, runs: 3, required: 5 } })
    expect(only?.messages?.[0]).toContain('Run 3: No agent was started: the run has used 200 tokens')
    expect(only?.usage).toMatchObject({ inputTokens: 180, outputTokens: 20 })
  })

  test('is ended with an interrupted run, and no further one is started', async () => {
    await using project = await shop(`setInterval(() => {}, 1000)`, 'repeats: 3')
    const running = project.start('mdtest', ['run'])
    await until(() => project.read('runs'))
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(130)
    expect((await project.read('runs')).trim().split('\n')).toHaveLength(1)
  })
})

async function until(read: () => Promise<unknown>): Promise<void> {
  const isThere = await read().then(
    () => true,
    () => false,
  )
  if (isThere) return
  await new Promise((resolve) => setTimeout(resolve, 100))
  return until(read)
}
