import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import { mcpConfig } from '../../src/agents/report-access.ts'
import { parseJournal } from '../../src/records/journal/journal.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { agentsOf } from '../support/processes.ts'
import { callOwn, playTurn, reportSpec, reportSpecWith } from '../support/scripts/report-spec.ts'
import { bySpec } from '../support/scripts/wayward.ts'
import { findRealClis } from './find-real-clis.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'
import { runRealAgent } from './run-real-agent.ts'

/** Appends its argument to `trace`, and prints it. */
const tracer = `import { appendFileSync } from 'node:fs'
appendFileSync('trace', process.argv[2] + '\\n')
console.log('traced ' + process.argv[2])
`
/** Ends when the file it is given is there, or badly after 20 s. */
const waiter = `import { existsSync } from 'node:fs'
const startedAtMs = Date.now()
const timer = setInterval(() => {
  if (existsSync(process.argv[2])) { console.log('it is there'); clearInterval(timer) }
  else if (Date.now() - startedAtMs > 20_000) process.exit(1)
}, 20)
`
/** A Vitest reporter that makes a file for each test when it is told of its result. */
const marker = `import { writeFileSync } from 'node:fs'
export default class { onTestCaseResult(test) { writeFileSync('settled ' + test.name, '') } }
`
const traceBlock = (role: string, text: string): string => `\`\`\`sh ${role}\necho ${text} >> trace\n\`\`\`\n\n`
const prose = (text: string): string => `Run \`node trace.mjs ${text}\`. It prints "traced ${text}".\n\n`
const failing = '```sh verify\nfalse\n```\n\n'

const interleaved = `# Order

## First

${traceBlock('run', 'before-1')}${prose('agent-1')}${traceBlock('verify', 'after-1')}
## Between

${traceBlock('run', 'between')}
## Second

${traceBlock('run', 'before-2')}${prose('agent-2')}${traceBlock('verify', 'after-2')}`

/** Two steps in a spec of their own; nothing is shared with the other specs of the project. */
const pair = `# Pair\n\n## One\n\nRun \`node -p "'one' + 1"\`. It prints "one1".\n\n- [ ] It prints "one1"\n\n## Two\n\nRun \`node -p "'two' + 2"\`. It prints "two2".\n`

/** What a model reports in place of the first step's report, and the verdicts. */
const cases = {
  'right.test.md': { script: reportSpec, verdicts: ['pass observed', 'pass evidenced'] },
  'out-of-order-and-unknown.test.md': {
    script: reportSpecWith((report, { index, steps }) =>
      index === 0 ? [{ ...report, step: steps[1] ?? '' }, { ...report, step: 'x' }, report] : [report],
    ),
    verdicts: ['pass observed', 'pass evidenced'],
  },
  'same-again.test.md': {
    script: reportSpecWith((report) => [report, report]),
    verdicts: ['pass observed', 'pass evidenced'],
  },
  'second-thoughts.test.md': {
    script: reportSpecWith((report, { index }) => (index === 1 ? [report, { ...report, status: 'fail' }] : [report])),
    verdicts: ['pass observed', 'fail STEP_UNKNOWN'],
  },
  'taken-back-later.test.md': {
    script: reportSpecWith((report, { index, steps }) =>
      index === 1 ? [{ ...report, step: steps[0] ?? '', status: 'fail' }, report] : [report],
    ),
    // The first test was through by then; its suite fails.
    verdicts: ['pass observed', 'skipped PREDECESSOR_FAILED'],
  },
  'never-reports-the-second.test.md': {
    script: reportSpecWith((report, { index }) => (index === 0 ? [report] : [])),
    verdicts: ['pass observed', 'fail STEP_UNREPORTED'],
  },
  'quotes-what-was-never-printed.test.md': {
    script: reportSpecWith((report) => [{ ...report, evidence: [{ quote: 'It prints "one1"' }] }]),
    verdicts: ['fail EVIDENCE_UNKNOWN', 'skipped PREDECESSOR_FAILED'],
  },
  'does-nothing.test.md': {
    script: playTurn(function* ({ prompt }) {
      for (const [, step] of prompt.matchAll(/^- (\d+-\S+):/gm))
        yield callOwn('report_step', {
          step,
          status: 'pass',
          checks: [{ n: 1, status: 'pass' }].slice(0, 2 - Number(step?.[0])),
        })
      return 'All passed.'
    }),
    verdicts: ['fail NO_ACTIVITY', 'skipped PREDECESSOR_FAILED'],
  },
}
type Name = keyof typeof cases
const names = Object.keys(cases) as Name[] // the keys of an object literal are those of its type

const allow = ['Bash(node *)', 'Bash(python3 *)']

describe.skipIf(skipReason !== '').each([claude, codex, codexCodeMode])(`$title${skipReason}`, (dialect) => {
  const { agent, title: _title, ...more } = dialect
  const options = { agent, allow }

  test('reports while it works: blocks and prose run in the order of the spec', async () => {
    await using real = await createRealProject({
      ...more,
      options,
      script: reportSpec,
      files: { 'order.test.md': interleaved, 'trace.mjs': tracer },
    })
    const { exitCode, stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'order.test.md'), all).toEqual(['pass verified', 'pass verified', 'pass verified'])
    expect(exitCode).toBe(0)
    expect((await real.project.read('trace')).trim().split('\n')).toEqual(
      'before-1 agent-1 after-1 between before-2 agent-2 after-2'.split(' '),
    )
    const logFile = readJsonReport(stdout)['order.test.md']?.[0]?.log ?? ''
    const log = await real.project.read(logFile)
    expect(log).toMatch(/^---\nwritten-by: mdtest\nstatus: pass\n/)
    expect(log).toMatch(/\n---\nAll steps are done\.$/)
    const { entries } = parseJournal(await real.project.read(logFile.replace('.log.md', '.journal.jsonl')))
    expect(entries.filter(({ activity }) => activity).map(({ step, title }) => [step, title])).toEqual([
      ['1-first', 'node trace.mjs agent-1'],
      ['3-second', 'node trace.mjs agent-2'],
    ])
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })

  test('goes on only after the reporter was told of the step before', async () => {
    const text = `# Live\n\n## First\n\n${prose('one')}## Second\n\nRun \`node wait.mjs "settled First"\`. It prints "it is there".\n`
    await using real = await createRealProject({
      ...more,
      options,
      script: reportSpec,
      files: { 'live.test.md': text, 'trace.mjs': tracer, 'wait.mjs': waiter, 'marker.mjs': marker },
    })
    const args = ['run', '--reporter=json', '--reporter=./marker.mjs']
    const { exitCode, stdout } = await real.project.vitest(args, { env: real.env })
    expect(verdictsOf(stdout, 'live.test.md')).toEqual(['pass evidenced', 'pass evidenced'])
    expect(exitCode).toBe(0)
    expect(await real.leftovers()).toEqual([])
  })

  test('is told to stop by a block that fails, and tries nothing more', async () => {
    const text = `# Stop\n\n## First\n\n${prose('one')}## Second\n\n${prose('two')}${failing}## Third\n\n${prose('three')}`
    await using real = await createRealProject({
      ...more,
      options,
      script: reportSpec,
      files: { 'stop.test.md': text, 'trace.mjs': tracer },
    })
    const { exitCode, stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'stop.test.md')).toEqual([
      'pass evidenced',
      'fail VERIFY_FAILED',
      'skipped PREDECESSOR_FAILED',
    ])
    expect(exitCode).toBe(1)
    expect(await real.project.read('trace')).toBe('one\ntwo\n')
    expect(real.model.conversations.at(-1)?.results.at(-1)?.text).toMatch(/Stop: The step .*Second.* did not pass/)
    const log = await real.project.read(readJsonReport(stdout)['stop.test.md']?.[0]?.log ?? '')
    expect(log).toContain('I was told to stop.')
    expect(log).toContain('code: VERIFY_FAILED')
    expect(await real.leftovers()).toEqual([])
  })

  test('gets a verdict on what it reports', async () => {
    const pick = <T>(of: (name: Name) => T): Record<string, T> =>
      Object.fromEntries(names.map((name) => [name, of(name)]))
    await using real = await createRealProject({
      ...more,
      options,
      script: bySpec(pick((name) => cases[name].script)),
      files: pick(() => pair),
    })
    const { exitCode, stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(pick((name) => verdictsOf(stdout, name))).toEqual(pick((name) => cases[name].verdicts))
    expect(exitCode).toBe(1)
    expect(await real.leftovers()).toEqual([])
    const late = await real.project.vitest(['run', 'taken-back-later'], { env: real.env })
    expect(late.exitCode).toBe(1)
    expect(late.all).toContain('STEP_UNKNOWN: After step "One" had been settled as `pass`')
    expect(late.all).toContain('taken-back-later.test.md:3:1')
  })

  test('keeps its reports when it is killed between two', async () => {
    const wait = `python3 -c "import time; open('started', 'w'); time.sleep(300)"`
    const text = `# Kill\n\n## First\n\n${prose('one')}## Second\n\nRun \`${wait}\`.\n`
    await using real = await createRealProject({
      ...more,
      options,
      script: reportSpec,
      files: { 'kill.test.md': text, 'trace.mjs': tracer },
    })
    const running = real.project.start('vitest', ['run', '--reporter=json'], { env: real.env })
    await vi.waitUntil(() => existsSync(real.project.path('started')), { timeout: 60_000, interval: 100 })
    const agents = agentsOf(running.pid ?? 0)
    expect(agents).toHaveLength(1)
    for (const { pid } of agents) process.kill(pid, 'SIGKILL')
    const { exitCode, stdout } = await running
    expect(verdictsOf(String(stdout), 'kill.test.md')).toEqual(['pass evidenced', 'blocked AGENT_CRASHED'])
    expect(exitCode).toBe(1)
    expect(await real.leftovers()).toEqual([])
  })
})

// Together, because they wait for 22 s.
test.skipIf(skipReason !== '').concurrent.each([claude, codex, codexCodeMode])(
  `$title waits for blocks longer than a call and longer than its silence may last${skipReason}`,
  async (dialect) => {
    const { agent, title: _title, ...more } = dialect
    const options = { agent, allow }
    const slow = '```sh verify\nsleep 22\n```\n\n'
    const text = `---\nsilence-timeout: 10s\n---\n\n# Slow\n\n## First\n\n${prose('one')}${slow}## Second\n\n${prose('two')}`
    await using real = await createRealProject({
      ...more,
      options,
      script: reportSpec,
      files: { 'slow.test.md': text, 'trace.mjs': tracer },
    })
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'slow.test.md')).toEqual(['pass verified', 'pass evidenced'])
    const answers = real.model.conversations.at(-1)?.results.map(({ text: answer }) => answer) ?? []
    expect(answers.filter((answer) => answer.includes('still checks'))).toHaveLength(1)
    expect(await real.leftovers()).toEqual([])
  },
)

const clis = findRealClis()

test.skipIf(!clis.ok).each([claudeAgent, codexAgent])(
  `$name says that it cannot reach the report server${skipReason}`,
  async (agent) => {
    const configFile = join(tmpdir(), `mdtest-${agent.name}-${process.pid}.json`)
    const reports = { url: 'http://127.0.0.1:1/mcp', token: 'x', configFile }
    writeFileSync(configFile, mcpConfig({}, reports))
    const run = await runRealAgent(agent, {
      cliFolder: clis.ok ? clis.folder : '',
      prompt: 'Go.',
      script: () => ({ kind: 'answer', text: 'Done.' }),
      request: { reports },
    })
    const diagnostics = run.stderr.split('\n').flatMap((line) => agent.readDiagnostics?.(line) ?? [])
    const errors = [...run.events, ...diagnostics].filter((event) => event.type === 'error')
    expect(errors.map(({ cause }) => cause)).toEqual(['mcp'])
  },
)
