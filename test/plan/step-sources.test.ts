import { expect, it } from 'vitest'
import { Attempts } from '../../src/plan/scenario-attempts.ts'
import { planReplay } from '../../src/plan/recordings/replay.ts'
import { describeMisfit, sourceWord, type StepSource } from '../../src/records/step-source.ts'
import type { ScenarioVerdict } from '../../src/records/verdict/verdict-record.ts'
import { ScenarioRun } from '../../src/scenario/scenario-run.ts'
import { parseRecording } from '../../src/spec/recording/parse-recording.ts'
import { recordingFileOf } from '../../src/spec/recording/recording.ts'
import { keysOf } from '../../src/spec/recording/step-keys.ts'
import { observedCall, quote } from '../verdict/evidence.ts'
import { ended, reported, useScenario } from '../scenario/use-scenario.ts'

const open = useScenario()

/** Behind a replay that came out otherwise, a pass needs evidence. */
const evidenced = {
  journal: [observedCall('1-fill'), observedCall('3-pay')],
  citations: [quote('1-fill'), quote('3-pay')],
}

const source = `---
cwd: temp
---

# Shop

## Fill

Put tea into the cart.

## Code

\`\`\`sh run
true
\`\`\`

## Pay

Pay.
`

/** A step of a recording: a command and what it is to print. */
type Recorded = readonly [command: string, output: string]

interface Told {
  /** Of the three steps, as their tests show them. */
  readonly words: readonly (string | undefined)[]
  /** Why the recording did not fit, with the last step. */
  readonly misfit: string | undefined
  /** Of how many runs a recording can be made: also of one behind a replay that did not fit. */
  readonly recordable: number
  readonly whyNot: ReturnType<Attempts['whyNotRecordable']>
  /** As the verdict on disk has them; nothing where no agent worked. */
  readonly onDisk: readonly (string | undefined)[] | undefined
}

async function run(given: readonly Recorded[] | 'earlier', { upTo = 3 } = {}): Promise<Told> {
  const recorded = given === 'earlier' ? [fits, fits] : given
  const first = reported('1-fill')
  const { input, root } = open(source, [
    { ...first, evidence: { ...first.evidence, ...evidenced } },
    ended(['1-fill', '3-pay'], evidenced),
  ])
  const { spec, scenario } = input
  const keys = keysOf(spec, scenario, () => source)
  const file = recordingFileOf(spec.file)
  const sections = recorded.map(([command, output], index) => {
    const [title, id] = index === 0 ? ['Fill', '1-fill'] : ['Pay', '3-pay'] // pairs, not lists
    return `## ${title}\n\n<!-- mdtest: key=${given === 'earlier' ? '00000000' : keys.get(id)} -->\n\n\`\`\`console\n$ ${command}\n${output}\n\`\`\`\n`
  })
  const { recording } = parseRecording(`# Shop\n\n${sections.join('\n')}`, file)
  const replay = planReplay(spec, { mode: 'auto', recording, keysOf: () => keys })
  const attempts = new Attempts({ settings: input.settings, replay }, { env: {}, mayStart: true })
  let verdict: ScenarioVerdict | undefined
  const host = {
    ...input.host,
    finishAgent: async (_: string, given: ScenarioVerdict) => void (verdict = given),
  }
  const selected = new Set([1, 2, 3].filter((ordinal) => ordinal <= upTo))
  const step = { scenario, isRetry: false, selected, signal: new AbortController().signal }
  const sources: (StepSource | undefined)[] = []
  for (const ordinal of selected) {
    const settled = await attempts.settle(
      { ...step, ordinal },
      (more) => new ScenarioRun({ ...input, selected, host, ...more }),
    )
    sources.push(settled.source)
  }
  const word = (one: StepSource | undefined): string | undefined => one && sourceWord(one)
  const reason = sources.at(-1)?.reason
  return {
    words: sources.map(word),
    misfit: reason && describeMisfit({ ...reason, ...(reason.file && { file: reason.file.slice(root.length + 1) }) }),
    recordable: attempts.recordable().length,
    whyNot: attempts.whyNotRecordable(scenario.ordinal),
    onDisk: verdict?.steps.map((one) => word(one.source)),
  }
}

const fits: Recorded = ['echo tea', 'tea']
const differs = 'handed over: REPLAY_DIFFERS'
const stale = 'handed over: REPLAY_STALE'

it.each<[string, readonly Recorded[] | 'earlier', Omit<Told, 'whyNot'>]>([
  [
    'there is no recording',
    [],
    {
      words: ['agent', undefined, 'agent'],
      misfit: undefined,
      recordable: 1,
      onDisk: ['agent', undefined, 'agent'],
    },
  ],
  [
    'the recording fits',
    [fits, fits],
    { words: ['replayed', undefined, 'replayed'], misfit: undefined, recordable: 0, onDisk: undefined },
  ],
  [
    'what is recorded is of an earlier wording',
    'earlier',
    {
      words: [stale, undefined, stale],
      misfit: 'REPLAY_STALE, spec changed',
      recordable: 1,
      onDisk: [stale, undefined, stale],
    },
  ],
  [
    'the last step prints something else',
    [fits, ['echo coffee', 'tea']],
    {
      words: ['replayed', undefined, differs],
      misfit: 'REPLAY_DIFFERS, output changed, a.recording.md:18',
      recordable: 1,
      onDisk: [differs, undefined, differs],
    },
  ],
  [
    'the first step prints something else',
    [['echo coffee', 'tea'], fits],
    {
      words: [differs, undefined, differs],
      misfit: 'REPLAY_DIFFERS, output changed, a.recording.md:9',
      recordable: 1,
      onDisk: [differs, undefined, differs],
    },
  ],
  [
    'a command fails',
    [['sh -c "exit 3"', ''], fits],
    {
      words: [stale, undefined, stale],
      misfit: 'REPLAY_STALE, command failed, a.recording.md:9',
      recordable: 1,
      onDisk: [stale, undefined, stale],
    },
  ],
])('says who carried out each step: %s', async (_what, recorded, told) => {
  expect(await run(recorded)).toEqual({ ...told, whyNot: undefined })
})

it.each([
  [1, 0, 'in part'],
  [2, 0, 'in part'],
  [3, 1, undefined],
])('makes a recording of whole scenarios alone: up to step %i', async (upTo, recordable, whyNot) => {
  expect(await run([], { upTo })).toMatchObject({ recordable, whyNot })
})
