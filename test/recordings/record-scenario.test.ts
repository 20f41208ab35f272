import { expect, it } from 'vitest'
import { checkRecorded } from '../../src/recordings/gates/find-vacuous.ts'
import { recordScenario, type RecordInput } from '../../src/recordings/record-scenario.ts'
import { planReplay } from '../../src/plan/recordings/replay.ts'
import { formatRecording } from '../../src/spec/recording/format-recording.ts'
import { parseRecording } from '../../src/spec/recording/parse-recording.ts'
import { keysOf } from '../../src/spec/recording/step-keys.ts'
import { useScenario } from '../scenario/use-scenario.ts'

const openScenario = useScenario()

const source = '---\ncwd: copy\n---\n\n# Notes\n\n## Add\n\nAdd "milk".\n'

it('is refused where it cannot be tried: no test fails for it', async () => {
  const { input, root } = openScenario(source)
  const keys = keysOf(input.spec, input.scenario, () => source)
  const surroundings = {
    spec: input.spec,
    root,
    env: { HOME: root },
    makeTempDir: () => Promise.reject(new Error('ENOSPC: no space left on device')),
    startRun: () => expect.unreachable(),
    replay: () => input.scenario,
    signal: new AbortController().signal,
  }
  const refusal = {
    code: 'NOT_REPRODUCED',
    step: 'Notes',
    line: 5,
    message: 'It could not be tried: ENOSPC: no space left on device',
  }
  const made = await recordScenario({
    ...surroundings,
    scenario: input.scenario,
    account: { verdict: { steps: [] }, evidence: { denials: [], startedAtMs: 0 }, directory: root, calls: [] },
    keys,
    known: source,
    redact: (text: string) => text,
  } as unknown as RecordInput) // what is looked at
  expect(made).toEqual({ ok: false, refusals: [refusal] })

  const [key = ''] = keys.values()
  const body = '```console\n$ sh add.sh milk\nadded milk\n```'
  const steps = [{ title: 'Add', key, by: 'x', on: '2026-01-01', body }]
  const text = formatRecording('a.test.md', [{ title: 'Notes', isStep: false, steps }])
  const { recording } = parseRecording(text, 'a.recording.md')
  const { scenarios } = planReplay(input.spec, { mode: 'only', recording, keysOf: () => keys })
  const scenario = scenarios[1] ?? input.scenario
  expect(await checkRecorded({ ...surroundings, scenario })).toEqual([refusal])
})
