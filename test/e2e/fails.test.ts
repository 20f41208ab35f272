import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verdictRecordSchema } from '../../src/records/verdict/verdict-record.ts'
import { projectWithActingClaude } from '../support/acting-claude.ts'
import type { Finished, Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'

const block = (code: string, words = ''): string => `\`\`\`sh${words}\n${code}\n\`\`\`\n\n`
const none = (title: string, body: string, head = ''): string => `---\nagent: none\n${head}---\n\n# ${title}\n\n${body}`
const shop = (first = '', second = '', head = ''): string =>
  `# Shop\n\n${head}## Add a mug\n\n${first}Put a mug into the cart.\n\n## Pay\n\n${second}Pay for it.\n`
const directive = (words: string): string => `<!-- mdtest: ${words} -->\n\n`
const look = (title: string, more = '', head = ''): string => `# ${title}\n\n${head}Look around.\n${more}`

/** Counts its runs in a file of the root; each run has a folder and a shell of its own. */
const counting = (failAt: string): string =>
  none(
    'Counter',
    `${directive('repeats=5 require=4')}## Setup

${block('test ! -e left-over && test -z "$kept"\ntouch left-over\nkept=yes\necho setup >> "$TESTDIR/trace-$NAME"')}## Count

${block('n=$(grep -c setup "$TESTDIR/trace-$NAME")')}## Now and then

${block('echo "run $n" >> "$TESTDIR/trace-$NAME"\ncase "$FAIL_AT" in *$n*) false;; esac')}## Behind

${block('echo behind >> "$TESTDIR/trace-$NAME"')}## Teardown

${block('echo teardown >> "$TESTDIR/trace-$NAME"')}`,
    `cwd: temp\nenv: { FAIL_AT: "${failAt}", NAME: "${failAt.replace(' ', '')}" }\n`,
  )

const acts = {
  expected: `await report('1-add-a-mug', 'fail'); await report('2-pay', 'pass')`,
  blocked: `await report('1-add-a-mug', 'blocked')`,
  hangs: `await report('1-add-a-mug', 'pass'); await forever()`,
  crashes: `process.kill(process.pid, 'SIGKILL')`,
  flaky: `await report('1-flaky', start < 3 ? 'fail' : 'pass')`,
  word: `await report('1-word', 'pass')`,
  proof: `await report('1-proof', 'pass')`,
  bad: `await report('1-bad', 'fail')`,
  repeated: `await report('1-add-a-mug', 'pass'); await report('2-pay', start === 2 ? 'fail' : 'pass')`,
}
const files = {
  'known.test.md': none(
    'A',
    `## Known\n\n${directive('fails')}${block('false')}## Next\n\n${block('true')}## Mended\n\n${directive('fails')}${block('true')}## Last\n\n${block('true')}`,
  ),
  'slow.test.md': none(
    'A',
    `## Slow\n\n${directive('timeout=2s')}${block('true')}${block('sleep 300')}## Next\n\n${block('true')}## Teardown\n\n${block('touch torn-down')}`,
  ),
  'often.test.md': counting('2'),
  'rarely.test.md': counting('2 4'),
  'left.test.md': none(
    'A',
    `${directive('repeats=3')}## One\n\n${block('echo one >> left')}## Two\n\n${block('echo no database; exit 80')}`,
  ),
  'expected.test.md': shop(directive('fails')),
  'blocked.test.md': shop(directive('fails')),
  'hangs.test.md': shop(directive('timeout=5m'), directive('timeout=1s')),
  'crashes.test.md': look('Crashes'),
  'flaky.test.md': look('Flaky', '', directive('retry=3')),
  'word.test.md': look('Word'),
  'needs.test.md': none('Needs', block('true'), 'requires: ["bin:no-such-program"]\n'),
  'proof.test.md': look('Proof', `\n${block('true', ' verify')}`),
  'bad.test.md': look('Bad'),
  'repeated.test.md': shop('', '', directive('repeats=3 require=2')),
}

let project: Project
let run: Finished
let junit: string
const testsOf = (name: string) => readJsonReport(run.stdout)[`${name}.test.md`] ?? []
const verdicts = (name: string): readonly string[] => verdictsOf(run.stdout, `${name}.test.md`)

beforeAll(async () => {
  const opened = await projectWithActingClaude(acts, files)
  project = opened.project
  const env = { ...opened.env, GITHUB_STEP_SUMMARY: project.path('summary.md') }
  const reporters = ['--reporter=verbose', '--reporter=tree', '--reporter=junit', '--outputFile.junit=junit.xml']
  run = await project.vitest(['run', '--reporter=json', ...reporters], { env })
  junit = await project.read('junit.xml')
})
afterAll(() => project[Symbol.asyncDispose]())

test('`fails` inverts a failure and a pass, and the steps behind it run', () => {
  const mended = ['fail PASSED_UNEXPECTEDLY', 'pass verified']
  expect(verdicts('known'), run.all).toEqual(['pass verified', 'pass verified', ...mended])
  expect(run.stdout).toContain(`${project.path('known.test.md')}:21:1`)
  expect(junit).toContain('<property name="mdtest:fails" value="failed as expected: RUN_FAILED')
})

test('`fails` holds for the agent as well, and never inverts what is blocked', () => {
  expect(verdicts('expected')).toEqual(['pass claimed', 'pass claimed'])
  expect(verdicts('blocked')[0]).toBe('blocked AGENT_BLOCKED')
})

test('`timeout` ends the blocks of a step together, and an agent that takes too long for one step', async () => {
  expect(testsOf('slow').map(({ codes }) => codes)).toEqual([['BLOCK_TIMEOUT'], ['PREDECESSOR_FAILED']])
  expect(testsOf('slow')[0]?.messages?.[0]).toContain(
    'The `timeout` of the step, 2000 ms for all that it does, is over.',
  )
  expect(await project.read('torn-down')).toBe('')
  expect(verdicts('hangs')).toEqual(['pass claimed', 'blocked AGENT_TIMEOUT'])
  expect(testsOf('hangs')[1]?.messages?.[0]).toContain('the step "Pay" took longer than its `timeout` of 1000 ms')
})

test('a blocked step says so in message, meta, JUnit and the last lines', () => {
  expect(testsOf('crashes')).toMatchObject([{ status: 'failed', outcome: 'blocked' }])
  expect(run.stdout).toContain('blocked: AGENT_CRASHED: The agent `claude` was killed')
  expect(junit).toMatch(/<failure message="blocked: AGENT_CRASHED/)
  expect(junit).toContain('<property name="mdtest:outcome" value="blocked">')
  expect(junit).toContain('<property name="mdtest:reason" value="AGENT_CRASHED">')
  expect(run.all).toContain('This is not a failure of the product.')
  expect(run.all).toMatch(/^agents: 9 scenarios, 13 starts, usage unknown/m)
  const counts = '15 passed: 9 verified, 6 claimed; 2 failed as expected; 4 failed; 3 blocked; 1 flaky'
  expect(run.all).toContain(`\nsteps: ${counts}\n`)
})

test('a pass at a later try is flaky', async () => {
  expect(testsOf('flaky')).toMatchObject([{ status: 'passed', outcome: 'pass', flaky: true }])
  expect((await project.read('starts-flaky')).trim().split('\n')).toHaveLength(3)
  expect(junit).toContain('<property name="mdtest:flaky" value="flaky: passed at try 3">')
})

test('a pass on the word of the agent alone has a sign of its own everywhere, and other passes have none', async () => {
  const shown = run.all.split('\n').filter((line) => line.includes('? claimed'))
  expect(shown.filter((line) => /Word|Proof|Next/.test(line))).toEqual([
    expect.stringContaining('Word'),
    expect.stringContaining('Word'),
  ])
  expect(run.all).toMatch(/claimed: \d+ steps passed on the agent's word alone\./)
  expect(junit).toContain('<property name="mdtest:claimed" value="the agent says so and nothing else backs it">')
  // What nobody knows is no number.
  expect(run.stdout).not.toContain('inputTokens')
  expect(run.all).not.toMatch(/\b0 tokens/)
  expect(await project.read('summary.md')).toMatch(/word\.test\.md.*❔ claimed/)
})

test('what was never there is no work of an agent: a spec that needs it is skipped', () => {
  expect(verdicts('needs')).toEqual(['skipped REQUIRES_UNMET'])
})

test('a failure has below it what its message does not say, and no more', () => {
  const [, below = ''] = /❯ bad\.test\.md:1:1[^]*?\n\n([^]*?)⎯⎯/.exec(run.all) ?? []
  expect(run.all).toContain('Log: bad.logs/')
  expect(below.trim().split('\n').length, run.all).toBeLessThanOrEqual(3)
  expect(run.all).not.toMatch(/mdtest:(outcome|reason|log)/)
})

test('a step that is repeated passes by its rate; each run has a directory, a shell, set-up and tear-down of its own', async () => {
  expect(testsOf('often').map(({ rate }) => rate)).toEqual([
    { passed: 5, runs: 5, required: 4 },
    { passed: 4, runs: 5, required: 4 },
    { passed: 5, runs: 5, required: 4 },
  ])
  const runs = [1, 2, 3, 4, 5].map((n) => `setup\nrun ${n}\nbehind\nteardown\n`)
  expect(await project.read('trace-2')).toBe(runs.join(''))
  expect(junit).toContain('<property name="mdtest:rate" value="passed in 4 of 5 runs, 4 required">')
  // The signal of the first test comes to all runs of all steps.
  expect(run.all).not.toContain('MaxListenersExceededWarning')
})

test('a step that passes too rarely fails with its rate and the runs that failed; a skip is one in the first run', async () => {
  expect(verdicts('rarely')).toEqual(['pass verified', 'fail RUN_FAILED', 'pass verified'])
  expect(run.stdout).toContain(
    'StepFailure: passed in 3 of 5 runs, 4 required\\nRUN_FAILED: Run 2, 4: The script ended',
  )
  expect(verdicts('left')).toEqual(['pass verified', 'skipped SKIPPED_BY_BLOCK'])
  expect(await project.read('left')).toBe('one\n')
})

test('an agent is started anew for each run, with a log and a verdict of its own that tell the rate', async () => {
  expect(testsOf('repeated')).toMatchObject([
    { outcome: 'pass', rate: { passed: 3, runs: 3, required: 2 }, usage: { durationMs: expect.any(Number) } },
    { outcome: 'pass', rate: { passed: 2, runs: 3, required: 2 } },
  ])
  const names = await readdir(project.path('repeated.logs'))
  const texts = names
    .filter((name) => name.endsWith('.verdict.json'))
    .map((name) => project.read(`repeated.logs/${name}`))
  const records = (await Promise.all(texts)).map((text) => verdictRecordSchema.parse(JSON.parse(text)))
  const ids = (await project.read('starts-repeated')).trim().split('\n')
  expect(new Set(ids).size).toBe(3)
  expect(records.map((record) => record.run).toSorted()).toEqual(ids.toSorted())
  const byRun = records.toSorted((one, other) => (one.repeat?.run ?? 0) - (other.repeat?.run ?? 0))
  expect(byRun.map(({ repeat, steps }) => [repeat, ...steps.map(({ passedRuns }) => passedRuns)])).toEqual([
    [{ run: 1, of: 3, required: 2 }, 1, 1],
    [{ run: 2, of: 3, required: 2 }, 2, 1],
    [{ run: 3, of: 3, required: 2 }, 3, 2],
  ])
  const { stdout } = await project.mdtest(['show', 'repeated.test.md', 'word.test.md'])
  expect(stdout).toContain('run 3 of 3, 2 required')
  expect(stdout).toMatch(/2-pay .*passed in 2 of 3 runs/)
  expect(stdout).toContain('? claimed')
})
