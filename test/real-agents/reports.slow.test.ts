import { describe, expect, test } from 'vitest'
import { parseJournal } from '../../src/records/journal/journal.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { callOwn, playTurn, reportSpec, reportSpecWith } from '../support/scripts/report-spec.ts'
import { bySpec } from '../support/scripts/wayward.ts'
import { claude, codex, codexCodeMode, createRealProject, gemini, sampleOf, skipReason } from './real-project.ts'

/** Prints its argument, and appends it to a file. */
const tracer = `import { appendFileSync } from 'node:fs'
const [file, text] = process.argv.slice(2)
appendFileSync(file, text + '\\n')
console.log('traced ' + text)
`
const sum = 'console.log(process.argv[2] + process.argv[3])\n'
/** Ends when the file it is given is there, or badly after 100 s. */
const waiter = `import { existsSync } from 'node:fs'
const startedAtMs = Date.now()
const timer = setInterval(() => {
  if (existsSync(process.argv[2])) { console.log('it is there'); clearInterval(timer) }
  else if (Date.now() - startedAtMs > 100_000) process.exit(1)
}, 20)
`
/** A Vitest reporter that makes a file for each test when it is told of its result. */
const marker = `import { writeFileSync } from 'node:fs'
export default class { onTestCaseResult(test) { writeFileSync('settled ' + test.name, '') } }
`
const block = (role: string, text: string): string => `\`\`\`sh ${role}\necho ${text} >> order.trace\n\`\`\`\n\n`
const prose = (file: string, text: string): string =>
  `Run \`node trace.mjs ${file} ${text}\`. It prints "traced ${text}".\n\n`

const order = `# Order

## First

${block('run', 'before-1')}${prose('order.trace', 'agent-1')}${block('verify', 'after-1')}
## Between

${block('run', 'between')}
## Second

${block('run', 'before-2')}${prose('order.trace', 'agent-2')}${block('verify', 'after-2')}`

const live = `# Live

## Alpha

${prose('live.trace', 'one')}
- [ ] It prints "traced one"

## Beta

Run \`node wait.mjs "settled Alpha"\`. It prints "it is there".
`

const stop = `# Stop

## First

${prose('stop.trace', 'one')}
## Second

${prose('stop.trace', 'two')}
\`\`\`sh verify
false
\`\`\`

## Third

${prose('stop.trace', 'three')}`

/** Two steps in a spec of their own; nothing is shared with the other specs of the project. */
const pair = `# Pair\n\n## One\n\nRun \`node sum.mjs one 1\`. It prints "one1".\n\n- [ ] It prints "one1"\n\n## Two\n\nRun \`node sum.mjs two 2\`. It prints "two2".\n`

/** What a model reports in place of the first step's report, and the verdicts. */
const cases = {
  'right.test.md': { script: reportSpec, verdicts: ['pass evidenced', 'pass evidenced'] },
  'out-of-order-and-unknown.test.md': {
    script: reportSpecWith((report, { index, steps }) =>
      index === 0 ? [{ ...report, step: steps[1] ?? '' }, { ...report, step: 'x' }, report] : [report],
    ),
    verdicts: ['pass evidenced', 'pass evidenced'],
  },
  'same-again.test.md': {
    script: reportSpecWith((report) => [report, report]),
    verdicts: ['pass evidenced', 'pass evidenced'],
  },
  'second-thoughts.test.md': {
    script: reportSpecWith((report, { index }) => (index === 1 ? [report, { ...report, status: 'fail' }] : [report])),
    verdicts: ['pass evidenced', 'fail STEP_UNKNOWN'],
  },
  'taken-back-later.test.md': {
    script: reportSpecWith((report, { index, steps }) =>
      index === 1 ? [{ ...report, step: steps[0] ?? '', status: 'fail' }, report] : [report],
    ),
    // The first test was through by then; its suite fails.
    verdicts: ['pass evidenced', 'skipped PREDECESSOR_FAILED'],
  },
  'never-reports-the-second.test.md': {
    script: reportSpecWith((report, { index }) => (index === 0 ? [report] : [])),
    verdicts: ['pass evidenced', 'fail STEP_UNREPORTED'],
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

describe.skipIf(skipReason !== '').each(sampleOf([claude, codex, codexCodeMode]))(`$title${skipReason}`, (product) => {
  test('reports while it works, and gets a verdict on what it reports', async () => {
    const pick = <T>(of: (name: Name) => T): Record<string, T> =>
      Object.fromEntries(names.map((name) => [name, of(name)]))
    const honest = { 'order.test.md': order, 'live.test.md': live, 'stop.test.md': stop }
    await using real = await createRealProject({
      product,
      options: { executor: 'agent', minAssurance: 'observed', allow: ['Bash(node *)'], maxAgents: 2 },
      script: bySpec({
        ...pick((name) => cases[name].script),
        ...Object.fromEntries(Object.keys(honest).map((name) => [name, reportSpec])),
      }),
      files: {
        ...honest,
        ...pick(() => pair),
        'sum.mjs': sum,
        'trace.mjs': tracer,
        'wait.mjs': waiter,
        'marker.mjs': marker,
      },
    })
    const { project, model } = real
    const reporters = ['--reporter=json', '--reporter=default', '--reporter=./marker.mjs']
    const { exitCode, stdout, all } = await real.vitest(['run', ...reporters])
    expect(exitCode).toBe(1)
    expect(pick((name) => verdictsOf(stdout, name))).toEqual(pick((name) => cases[name].verdicts))
    expect(all).toContain('STEP_UNKNOWN: After step "One" had been settled as `pass`')
    expect(all).toContain('taken-back-later.test.md:3:1')
    const report = readJsonReport(stdout)
    const logOf = async (name: string): Promise<string> => await project.read(report[name]?.[0]?.log ?? '')
    const traced = async (name: string): Promise<readonly string[]> => (await project.read(name)).trim().split('\n')

    // Blocks and prose run in the order of the spec.
    expect(verdictsOf(stdout, 'order.test.md')).toEqual(['pass verified', 'pass verified', 'pass verified'])
    expect(await traced('order.trace')).toEqual('before-1 agent-1 after-1 between before-2 agent-2 after-2'.split(' '))
    const log = await logOf('order.test.md')
    expect(log).toMatch(/^---\nwritten-by: mdtest\nstatus: pass\n/)
    expect(log).toMatch(/\n---\nAll steps are done\.$/)
    const journal = (report['order.test.md']?.[0]?.log ?? '').replace('.log.md', '.journal.jsonl')
    const { entries } = parseJournal(await project.read(journal))
    expect(entries.filter(({ activity }) => activity).map(({ step, title }) => [step, title])).toEqual([
      ['1-first', 'node trace.mjs order.trace agent-1'],
      ['3-second', 'node trace.mjs order.trace agent-2'],
    ])

    // It goes on only after the reporter was told of the step before.
    expect(verdictsOf(stdout, 'live.test.md')).toEqual(['pass evidenced', 'pass evidenced'])
    const { stdout: shown } = await real.mdtest(['show', 'live.test.md'])
    expect(shown).toMatch(/^live\.test\.md > Live \d{4}-/)
    expect(shown).toMatch(/\n {2}outcome pass\n {2}used .* tokens in, .* out/)
    expect(shown).toMatch(/\n {2}1-alpha pass evidenced in .* s, agent, reported pass\n/)
    expect(shown).toMatch(/\n {4}check 1 pass\n/)
    expect(shown).toMatch(/cites: “traced one”\n/)
    expect(shown).toMatch(/\n {4}\d\d:\d\d:\d\d command node trace\.mjs live\.trace one.*\n {6}\| traced one\n/)

    // It is told to stop by a block that fails, and tries nothing more.
    const stopped = ['pass evidenced', 'fail VERIFY_FAILED', 'skipped PREDECESSOR_FAILED']
    expect(verdictsOf(stdout, 'stop.test.md')).toEqual(stopped)
    expect(await traced('stop.trace')).toEqual(['one', 'two'])
    const told = model.conversations.findLast(({ prompt }) => prompt.includes('stop.test.md'))?.results.at(-1)?.text
    expect(told).toMatch(/Stop: The step .*Second.* did not pass/)
    expect(await logOf('stop.test.md')).toContain('I was told to stop.')
    expect(await logOf('stop.test.md')).toContain('code: VERIFY_FAILED')
    expect(model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})

test.skipIf(skipReason !== '').each(sampleOf([claude, codex, codexCodeMode, gemini]))(
  `$title is answered while a block still goes on${skipReason}`,
  async (dialect) => {
    const { agent, title: _title, ...more } = dialect
    // The agent's own stream shows the answer.
    const slow = '```sh verify timeout=200s\nuntil grep -rqs "still che[c]ks" slow.logs; do sleep 0.2; done\n```\n\n'
    const spec = `# Slow\n\n## First\n\n${prose('a.trace', 'one')}${slow}## Second\n\n${prose('a.trace', 'two')}`
    await using real = await createRealProject({
      ...more,
      options: { agent, executor: 'agent', allow: ['Bash(node *)'] },
      script: reportSpec,
      files: { 'slow.test.md': spec, 'trace.mjs': tracer },
    })
    const { stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env, timeoutMs: 280_000 })
    expect(verdictsOf(stdout, 'slow.test.md'), all).toEqual(['pass verified', 'pass evidenced'])
    expect(await real.leftovers()).toEqual([])
  },
)
