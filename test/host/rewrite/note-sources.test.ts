import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { noteSources } from '../../../src/host/rewrite/note-sources.ts'
import { sourceWord, type StepSource } from '../../../src/records/step-source.ts'
import type { RecordingRefusal } from '../../../src/records/recorded-reason.ts'
import type { VerdictRecord } from '../../../src/records/verdict/verdict-record.ts'
import { useFolders } from '../use-folder.ts'

const createFolder = useFolders()
const misfit = { code: 'REPLAY_DIFFERS', message: 'else', cause: 'wording changed' }
const agent: StepSource = { kind: 'agent' }
const refusal: RecordingRefusal = { code: 'VACUOUS', step: 'Pay', line: 9, message: 'It holds always.' }

interface Noted {
  /** Of `Add`, `Pay`, another `Pay`, and `Look` in an included file, as the verdict on disk has them. */
  readonly sources: readonly string[]
  /** The tests that are told, by how many stand before them. */
  readonly told: readonly number[]
}

interface Given {
  /** Keys. */
  readonly written?: readonly string[]
  readonly refusals?: readonly RecordingRefusal[]
}

/** What becomes of a verdict on the scenario `Shop`. */
async function note(
  given: readonly (StepSource | undefined)[],
  { written = [], refusals = [] }: Given,
): Promise<Noted> {
  const folder = await createFolder()
  const [added, paid, again, looked] = given
  const step = { outcome: 'pass', reasons: [], durationMs: 1 } as const // a literal outcome
  const record: VerdictRecord = {
    version: 1,
    spec: 'shop.test.md',
    scenario: 'Shop',
    attempt: 1,
    run: '7f',
    agent: 'claude',
    startedAt: '2026-02-10T14:30:00.000Z',
    outcome: 'pass',
    steps: [
      { ...step, id: '1-add', title: 'Add', line: 3, ...(added && { source: added }) },
      { ...step, id: '2-pay', title: 'Pay', line: 9, ...(paid && { source: paid }) },
      { ...step, id: '3-pay', title: 'Pay', line: 14, ...(again && { source: again }) },
      { ...step, id: '4-look', title: 'Look', line: 1, file: 'more.md', ...(looked && { source: looked }) },
    ],
  }
  await mkdir(folder.at('shop.logs'))
  const verdict = folder.at('shop.logs/2026-02-10T14-30-00-000Z.verdict.json')
  await writeFile(verdict, JSON.stringify(record))
  const logs = [folder.at('shop.logs/2026-02-10T14-30-00-000Z.log.md'), folder.at('shop.logs/gone.log.md')]
  const steps = Object.fromEntries(record.steps.map(({ id }, index) => [id, { key: `key of ${id}`, test: 10 + index }]))
  const placed = refusals.map((one) => ({ ...one, ...(one.file !== undefined && { file: folder.at(one.file) }) }))
  const runs = logs.map((log) => ({ log, steps, refusals: placed }))
  const noted = await noteSources({ root: folder.path, runs, written })
  const { steps: after }: VerdictRecord = JSON.parse(await readFile(verdict, 'utf8'))
  const word = ({ source }: VerdictRecord['steps'][number]): string =>
    source === undefined
      ? '-'
      : [
          sourceWord(source),
          ...(source.refusal ? [`not recorded: ${source.refusal.code}`] : []),
          ...(source.kind === 'recorded' && source.reason ? ['after a hand-over'] : []),
        ].join(', ')
  return { sources: after.map(word), told: noted.flatMap((one) => one.steps.map(({ test }) => test)) }
}

const all = [agent, agent, agent, agent]

it.each<[string, Parameters<typeof note>, Noted]>([
  [
    'what was written',
    [[agent, agent, agent, undefined], { written: ['key of 1-add'] }],
    { sources: ['recorded', 'agent', 'agent', '-'], told: [10] },
  ],
  [
    'what was written of two steps with the same title',
    [all, { written: ['key of 3-pay'] }],
    { sources: ['agent', 'agent', 'recorded', 'agent'], told: [12] },
  ],
  [
    'what was written behind a hand-over',
    [[{ kind: 'handed-over', reason: misfit }], { written: ['key of 1-add'] }],
    { sources: ['recorded, after a hand-over', '-', '-', '-'], told: [10] },
  ],
  [
    'what was written of another scenario',
    [all, { written: ['key of a till'] }],
    { sources: ['agent', 'agent', 'agent', 'agent'], told: [] },
  ],
  [
    'what was refused',
    [all, { refusals: [refusal, { ...refusal, step: 'Look', line: 1 }] }],
    { sources: ['agent', 'agent, not recorded: VACUOUS', 'agent', 'agent'], told: [11] },
  ],
  [
    'what was refused in an included file',
    [all, { refusals: [{ ...refusal, step: 'Look', line: 1, file: 'more.md' }] }],
    { sources: ['agent', 'agent', 'agent', 'agent, not recorded: VACUOUS'], told: [13] },
  ],
  [
    'what was refused for all of it: once',
    [
      [{ kind: 'replayed' }, agent, agent, agent],
      { refusals: [{ ...refusal, code: 'NOT_ELIGIBLE', step: 'Shop', line: 1 }] },
    ],
    { sources: ['replayed', 'agent, not recorded: NOT_ELIGIBLE', 'agent', 'agent'], told: [11] },
  ],
])('notes in verdicts on disk %s', async (_what, given, noted) => {
  expect(await note(...given)).toEqual(noted)
})
