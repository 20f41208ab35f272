import { connectHost } from '../host/server/connect-host.ts'
import type { HostAddress } from '../host/protocol/protocol.ts'
import type { ScenarioToUpdate } from '../spec/recording/update-recording.ts'
import { lineOf, stepsOf, type Scenario } from '../spec/spec.ts'
import { agentStepsOf } from '../scenario/plan-blocks.ts'
import type { RecordingRefusal } from '../records/recording-refusal.ts'
import { openRedactor } from '../system/redaction/open-redactor.ts'
import { mcpSecrets } from '../spec/front-matter/mcp-secrets.ts'
import type { Attempts, RecordableRun } from './attempts.ts'
import type { Plan } from './plan.ts'
import { planReplay } from './replay.ts'

interface RecordContext {
  readonly plan: Plan
  readonly address: HostAddress
  /** Absolute path of the suite root. */
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  /** Whether no filter left out a step of the spec. */
  readonly isWhole: boolean
}

/** Makes a recording of what agents did for a spec, its scenarios being over, and has it written. */
export async function recordSpec(attempts: Attempts, context: RecordContext): Promise<void> {
  const { plan, address, root, isWhole } = context
  const { record } = plan
  if (record === undefined) return
  const runs = attempts.recordable()
  const untried = listUntried(attempts, plan)
  if (runs.length + untried.length === 0 && !(isWhole && record.mayHaveObsolete)) return
  const host = connectHost(address)
  try {
    const made = new Map<number, Awaited<ReturnType<typeof recordRun>>>()
    // One after the other: each wants the machine for itself.
    for (const run of runs) made.set(run.ordinal, await recordRun(run, { ...context, makeTempDir: host.makeTempDir }))
    const scenarios = plan.spec.scenarios.map((scenario): ScenarioToUpdate => {
      const { title, hasDescribe } = scenario
      const recorded = made.get(scenario.ordinal)
      const keys = record.keys[scenario.ordinal - 1] ?? {}
      const asked = stepsOf(scenario).filter(({ actor }) => actor === 'agent')
      const known = asked.map(({ id, title: step }) => ({ title: step, key: keys[id] ?? '' }))
      return { title, isStep: !hasDescribe, known, ...(recorded?.ok && { steps: recorded.steps }) }
    })
    const refusals = [...made.values()].flatMap((one) => (one?.ok === false ? [one.refusal, ...one.others] : []))
    const recorded = plan.spec.scenarios.flatMap((scenario) =>
      made.get(scenario.ordinal)?.ok === true
        ? agentStepsOf(scenario).map((step) => ({ step: step.title, ...lineOf(step) }))
        : [],
    )
    const told = { recorded, refusals: [...untried, ...refusals] }
    const logs = runs.flatMap(({ run }) => run.logFile ?? [])
    await host.keepRecording({ specFile: plan.spec.file, root, scenarios, isWhole, logs, ...told })
  } finally {
    host.close()
  }
}

/** Scenarios of which there is no run to make a recording of. */
function listUntried(attempts: Attempts, { spec }: Plan): readonly RecordingRefusal[] {
  return spec.scenarios.flatMap((scenario) => {
    const message = attempts.whyNotFirst(scenario.ordinal)
    if (message === undefined || agentStepsOf(scenario).length === 0) return []
    return [{ code: 'NOT_ELIGIBLE' as const, step: scenario.title, ...lineOf(scenario), message }]
  })
}

async function recordRun(
  { ordinal, run, startRun }: RecordableRun,
  { plan, root, env, makeTempDir }: RecordContext & { makeTempDir(): Promise<string> },
): Promise<Awaited<ReturnType<typeof import('../recordings/record-scenario.ts').recordScenario>> | undefined> {
  const { spec, settings, record } = plan
  const scenario = spec.scenarios[ordinal - 1]
  const account = await run.account()
  if (scenario === undefined || account === undefined || record === undefined) return undefined
  const keys = record.keys[ordinal - 1] ?? {}
  const { redactor } = openRedactor({
    envs: [env, spec.frontMatter.env],
    names: settings.secrets,
    others: mcpSecrets(settings.mcpServers),
  })
  // Loaded where something is recorded: a run that replays has no use for it.
  const { recordScenario } = await import('../recordings/record-scenario.ts')
  return recordScenario({
    spec,
    scenario,
    account,
    keys: new Map(Object.entries(keys)),
    known: record.known,
    root,
    env,
    baseUrl: settings.browser.baseUrl,
    by: account.evidence.name,
    redact: redactor.redact,
    makeTempDir,
    replay: ({ recording }) => replayed(scenario, { plan, recording, keys }),
    startRun: (more) => startRun({ attempt: 1, selected: ordinalsOf(scenario), ...more }),
    now: () => new Date(),
    signal: new AbortController().signal,
  })
}

function replayed(
  scenario: Scenario,
  {
    plan,
    recording,
    keys,
  }: Pick<RecordContext, 'plan'> &
    Pick<Parameters<typeof planReplay>[1], 'recording'> & { readonly keys: Readonly<Record<string, string>> },
): Scenario {
  const spec = { ...plan.spec, scenarios: [scenario] }
  const keysOf = (): ReadonlyMap<string, string> => new Map(Object.entries(keys))
  return planReplay(spec, { mode: 'only', recording, keysOf }).scenarios[scenario.ordinal] ?? scenario
}

function ordinalsOf(scenario: Scenario): ReadonlySet<number> {
  return new Set(stepsOf(scenario).map(({ ordinal }) => ordinal))
}
