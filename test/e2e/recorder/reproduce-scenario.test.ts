import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ScenarioAccount } from '../../../src/scenario/scenario-input.ts'
import { add, answers, hiding, inShort, list, right, useRepeat, wanted, write, type Scene } from './repeat-scenario.ts'

const repeat = useRepeat()

describe.concurrent('what an agent did, repeated', () => {
  test('holds where the product does it, beside a folder that is called like the home directory', async () => {
    const looks = { ...add, command: `cat src/app/x ./app/y 2>/dev/null; ${add.command}` }
    // What it said twice counts once.
    const twice = ({ evidence, ...account }: ScenarioAccount): ScenarioAccount => ({
      ...account,
      evidence: { ...evidence, reports: evidence.reports?.flatMap((one) => [one, one]) ?? [] },
    })
    const made = await repeat({ program: right, env: { HOME: '/app' }, steps: [[looks], [list]], change: twice })
    expect(made.steps).toEqual({ '1-add': 'reproduced', '2-look': 'reproduced' })
    expect(made.recording?.ok).toBe(true)
  })

  test('is what would be recorded, where nothing but a skipped step stands behind it', async () => {
    const behind = '\n## Later\n\n<!-- mdtest: skip="not yet" -->\n\nDo more.\n'
    const made = await repeat({ steps: [[{ ...add, output: 'added eggs\n', quote: 'added eggs' }]], behind })
    expect(made.recording).toMatchObject({ ok: false })
  })

  test('holds up to the step that does not', async () => {
    const { steps, recording } = await repeat({})
    expect(steps).toEqual({
      '1-add': 'reproduced',
      '2-look': { line: 11, message: expect.stringContaining('did not come again') },
    })
    expect(recording).toMatchObject({ ok: false, refusals: [{ code: 'NOT_REPRODUCED' }, { isKeptBack: true }] })
  })

  test('is nothing behind a step that does not hold', async () => {
    const made = await repeat({
      program: right,
      steps: [[{ ...add, output: 'added eggs\n', quote: 'added eggs' }], [list]],
    })
    expect(Object.keys(made.steps)).toEqual(['1-add'])
  })

  test('counts for the steps before one that failed with the agent', async () => {
    const failed = (account: ScenarioAccount): ScenarioAccount => ({
      ...account,
      verdict: {
        outcome: 'fail',
        steps: account.verdict.steps.map((one, index) => (index === 1 ? { ...one, outcome: 'fail' as const } : one)),
      },
    })
    const { steps, recording } = await repeat({ change: failed })
    expect({ steps, recording }).toEqual({ steps: { '1-add': 'reproduced' }, recording: undefined })
  })

  test.each<[string, Partial<Scene>, RegExp]>([
    [
      'of a program of which nothing is known',
      { change: ({ verdict, evidence, directory }) => ({ verdict, evidence, directory }) },
      /^NEEDS_THE_MODEL: .* executed by itself/,
    ],
    ['of a spec with side-effects', { front: 'cwd: copy\nside-effects: true' }, /^NOT_ELIGIBLE: .*side-effects/],
    ['that begins nowhere', { front: 'cwd: root' }, /^NOT_ELIGIBLE: .*`cwd: copy`/],
  ])('is refused at the first step: the work %s', async (_, scene, expected) => {
    const found = inShort(await repeat({ program: right, ...scene }))
    expect(found).toEqual([expect.stringMatching(expected)])
  })
})

describe.concurrent('an agent that leaves behind what its commands print', () => {
  test.each<[string, Scene]>([
    [
      'in HOME',
      { steps: [[add, hiding('cat ~/.answers')]], leaves: ({ home }) => write(join(home, '.answers'), answers) },
    ],
  ])('%s: its step does not hold', async (_, scene) => {
    const found = inShort(await repeat({ steps: [[add, list]], ...scene }))
    expect(found).toEqual([expect.stringMatching(/Without the agent|did not come again/)])
  })

  test('under the home directory: a path of this machine in a command is told, and no other', async () => {
    const env = { HOME: '/home/of/somebody' }
    const command = (folder: string): string => `cd ${folder} 2>/dev/null; sh notes.sh add milk`
    expect(inShort(await repeat({ env, steps: [[{ ...add, command: command(env.HOME) }]] }))).toEqual([
      expect.stringContaining('UNCLEAN: Its commands or what they print hold a secret or a path of this machine'),
    ])
    expect(inShort(await repeat({ env, steps: [[{ ...add, command: command('/home/of/somebody2') }]] }))).toEqual([
      'reproduced',
    ])
  })

  test('in the spec: its step would hold without the product', async () => {
    const steps = [[{ command: 'grep -o "1 ... milk" a.test.md', ...wanted }]]
    expect(inShort(await repeat({ steps }))).toEqual([expect.stringMatching(/^VACUOUS/)])
  })
})
