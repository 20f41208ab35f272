import { expect, it } from 'vitest'
import { planReplay } from '../../../src/plan/recordings/replay.ts'
import { findHolding } from '../../../src/recordings/gates/find-vacuous.ts'
import { ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { formatRecording } from '../../../src/spec/recording/format-recording.ts'
import { parseRecording } from '../../../src/spec/recording/parse-recording.ts'
import { keysOf } from '../../../src/spec/recording/step-keys.ts'
import { useScenario } from '../../scenario/use-scenario.ts'
import { recordCalls } from './record-calls.ts'

const openScenario = useScenario()

function specOf(steps: number): string {
  const sections = Array.from({ length: steps }, (_, n) => `## Step ${n + 1}\n\nAdd note${n + 1}.\n`)
  return `---\ncwd: copy\n---\n\n# Notes\n\n${sections.join('\n')}`
}

/** Numbers of the steps that pass, and how often the scenario was executed. */
async function judge(...bodies: readonly string[]): Promise<{ passing: readonly number[]; executions: number }> {
  const source = specOf(bodies.length)
  const { input, steps } = openScenario(source)
  const keys = keysOf(input.spec, input.scenario, () => source)
  const written = steps.map(({ id, title }, index) => {
    return { title, key: keys.get(id) ?? '', by: 'x', on: '2026-01-01', body: bodies[index] ?? '' }
  })
  const text = formatRecording('a.test.md', [{ title: 'Notes', isStep: false, steps: written }])
  const { recording } = parseRecording(text, 'a.recording.md')
  const { scenarios } = planReplay(input.spec, { mode: 'only', recording, keysOf: () => keys })
  let executions = 0
  const found = await findHolding(
    steps.map(({ id }) => ({ id, told: [] })),
    {
      scenario: scenarios[1] ?? input.scenario,
      startRun(more) {
        executions += 1
        return new ScenarioRun({ ...input, ...more })
      },
      makeTempDir: input.host.makeTempDir,
      env: input.env,
      signal: new AbortController().signal,
    },
  )
  return { passing: steps.flatMap(({ id, ordinal }) => (found.includes(id) ? [ordinal] : [])), executions }
}

const transcript = (...lines: readonly string[]): string => ['```console', ...lines, '```'].join('\n')
const fails = transcript('$ echo no', 'yes')
const passes = transcript('$ echo yes', 'yes')

it('judges each step by itself in one execution', async () => {
  const alone = await judge(fails, fails, passes, fails, fails, passes, fails, passes)
  expect(alone).toEqual({ passing: [3, 6, 8], executions: 1 })
})

it('runs all that a step would have done, whatever came of it', async () => {
  const first = transcript('$ echo no', 'yes', '$ echo yes > seen.txt')
  const blocks = `${fails}\n\n${transcript('$ echo also >> seen.txt')}`
  const third = transcript('$ cat seen.txt', 'yes', 'also')
  expect(await judge(first, blocks, third)).toEqual({ passing: [3], executions: 1 })
})

it.each([
  ['an exit', 'exit 3'],
  ['the end of the shell', 'kill -9 $BASHPID'],
])('judges what is behind %s', async (_what, command) => {
  const ends = transcript(`$ ${command}`, 'yes')
  expect(await judge(fails, ends, passes, fails, passes)).toEqual({ passing: [3, 5], executions: 1 })
})

it('waits for no service, which is never ready without the product', async () => {
  const service = '```sh background wait=port:1\nsleep 60\n```'
  const waits = fails.replace('console', 'console wait=port:1')
  expect(await judge(fails, `${service}\n\n${waits}`, passes, fails)).toEqual({ passing: [3], executions: 1 })
})

it('executes a long scenario as often as a short one', async () => {
  const notes = 'echo "$2" >>notes\necho "added $2"\n'
  const executions = async (steps: number): Promise<number> => {
    const told: (readonly string[])[] = []
    const open: typeof openScenario = (...given) => {
      const opened = openScenario(...given)
      told.push(opened.told)
      return opened
    }
    const calls = Array.from({ length: steps }, (_, n) => [
      { command: `sh notes.sh add note${n + 1}`, quote: `added note${n + 1}` },
    ])
    expect(await recordCalls(open, { spec: specOf(steps), files: { 'notes.sh': notes }, steps: calls })).toMatch(/^```/)
    return told.flat().filter((one) => one === 'enter').length
  }
  expect([await executions(2), await executions(5)]).toEqual([4, 4])
})
