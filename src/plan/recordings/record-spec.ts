import { connectHost } from '../../host/server/connect-host.ts'
import type { HostAddress } from '../../host/protocol/protocol.ts'
import type { ScenarioRecording } from '../../recordings/record-scenario.ts'
import type { ScenarioToUpdate } from '../../spec/recording/update-recording.ts'
import { stepsOf, titledLineOf } from '../../spec/spec.ts'
import { agentStepsOf } from '../../scenario/plan-blocks.ts'
import type { RecordingRefusal } from '../../records/recorded-reason.ts'
import type { Attempts, RecordableRun, ReplayedScenario } from '../scenario-attempts.ts'
import { describePart, openTempDirs, ordinalsOf, recordInputOf } from './record-run.ts'
import type { EndedRun, RecordContext } from './record-run.ts'

/** Call only after all scenarios of the spec. */
export async function recordSpec(
  attempts: Attempts,
  context: RecordContext & { readonly address: HostAddress; readonly isWhole: boolean },
): Promise<void> {
  const { plan, address, root, isWhole } = context
  const { record, settings } = plan
  if (record === undefined || !settings.recordings) return
  const runs = attempts.recordable()
  const untried = listUntried(attempts, context)
  const replays = record.command === 'check' ? attempts.replayed() : []
  if (runs.length + untried.length + replays.length === 0 && !(isWhole && record.mayHaveObsolete)) return
  using host = connectHost(address)
  using folders = openTempDirs(host)
  const { signal } = new AbortController()
  const surroundings = { ...context, makeTempDir: folders.makeTempDir, signal }
  const made = new Map<number, ScenarioRecording | undefined>()
  // Record one run at a time, because each recording needs the machine to itself.
  for (const run of runs) made.set(run.ordinal, run.made ?? (await recordRun(run, surroundings)))
  const scenarios = plan.spec.scenarios.map((scenario): ScenarioToUpdate => {
    const { title, hasDescribe } = scenario
    const recorded = made.get(scenario.ordinal)
    const keys = record.keys[scenario.ordinal - 1] ?? {}
    const asked = stepsOf(scenario).filter(({ actor }) => actor === 'agent')
    const known = asked.map(({ id, title: step }) => ({ title: step, key: keys[id] ?? '' }))
    return { title, isStep: !hasDescribe, known, ...(recorded?.ok && { steps: recorded.steps }) }
  })
  const worthless: RecordingRefusal[] = []
  for (const replay of replays) worthless.push(...(await checkReplay(replay, surroundings)))
  const refused = runs.flatMap(({ ordinal }) => {
    const one = made.get(ordinal)
    return one?.ok === false ? one.refusals : []
  })
  const recorded = plan.spec.scenarios.flatMap((scenario) =>
    made.get(scenario.ordinal)?.ok === true ? agentStepsOf(scenario).map(titledLineOf) : [],
  )
  const refusals = [...untried, ...refused, ...worthless]
  await host.keepRecording({ specFile: plan.spec.file, root, scenarios, isWhole, recorded, refusals })
}

type RecordSurroundings = Parameters<typeof recordInputOf>[1] & Pick<EndedRun, 'signal'>

function listUntried(attempts: Attempts, { plan: { spec }, root }: RecordContext): readonly RecordingRefusal[] {
  return spec.scenarios.flatMap((scenario) => {
    const why = attempts.whyNotRecordable(scenario.ordinal)
    if (why === undefined || agentStepsOf(scenario).length === 0) return []
    const message = why === 'in part' ? describePart(scenario, { spec, root }) : whyUntried[why]
    return [{ code: 'NOT_ELIGIBLE' as const, ...titledLineOf(scenario), message }]
  })
}

const whyUntried = {
  repeated: 'It is run several times. Take `repeats` away to have it recorded.',
  retried: 'Its first try did not pass, and only a first try is recorded. Record it again.',
}

async function checkReplay(
  { scenario, startRun }: ReplayedScenario,
  { plan: { spec }, ...surroundings }: RecordSurroundings,
): Promise<readonly RecordingRefusal[]> {
  const { checkRecorded } = await import('../../recordings/gates/find-vacuous.ts')
  const selected = ordinalsOf(scenario)
  return checkRecorded({
    ...surroundings,
    spec,
    scenario,
    startRun: (more) => startRun({ attempt: 1, selected, ...more }),
  })
}

async function recordRun({ ordinal, run, startRun }: RecordableRun, { signal, ...context }: RecordSurroundings) {
  const scenario = context.plan.spec.scenarios[ordinal - 1]
  const account = await run.account()
  if (scenario === undefined || account === undefined) return undefined
  // Loaded here because a run that replays records nothing.
  const { recordScenario } = await import('../../recordings/record-scenario.ts')
  return recordScenario(recordInputOf({ scenario, account, startRun, signal }, context))
}
