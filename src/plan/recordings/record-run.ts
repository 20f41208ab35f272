import { relative } from 'node:path'
import { connectHost, type HostClient } from '../../host/server/connect-host.ts'
import type { HostAddress } from '../../host/protocol/protocol.ts'
import type { RecordInput } from '../../recordings/record-scenario.ts'
import type { ReproducedScenario } from '../../recordings/reproduce-scenario.ts'
import { agentStepsOf, isWholeRun } from '../../scenario/plan-blocks.ts'
import type { ScenarioAccount, ScenarioInput } from '../../scenario/scenario-input.ts'
import type { ScenarioRun } from '../../scenario/scenario-run.ts'
import { settingSecrets } from '../../spec/front-matter/mcp-secrets.ts'
import { stepsOf, type Scenario } from '../../spec/spec.ts'
import { limitTime } from '../../system/slots-and-timers.ts'
import { orNothing } from '../../system/error-facts.ts'
import { removeTemporary } from '../../system/files/remove-files.ts'
import { ownCommand } from '../../system/mdtest-package.ts'
import { openRedactor } from '../../system/redaction/open-redactor.ts'
import { quoteWord } from '../../system/text/shell-and-regex-quotes.ts'
import { formatDuration } from '../../system/text/wording.ts'
import type { Plan } from '../plan.ts'
import { planReplay } from './replay.ts'

/** Starts a run. `scenario` can have recorded blocks in place of the agent. */
export type StartRun = (
  input: Pick<
    ScenarioInput,
    'attempt' | 'handedOver' | 'rate' | 'isRepetition' | 'onCommand' | 'onBlocks' | 'reproduce'
  > &
    Partial<Pick<ScenarioInput, 'scenario' | 'selected' | 'root' | 'spec' | 'env'>>,
) => ScenarioRun

export interface RecordContext {
  readonly plan: Plan
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

export interface EndedRun {
  readonly scenario: Scenario
  readonly account: ScenarioAccount
  readonly startRun: StartRun
  readonly signal: AbortSignal
}

type TempDirs = Pick<RecordInput, 'makeTempDir'>

export function openTempDirs({ makeTempDir }: Pick<HostClient, 'makeTempDir'>): TempDirs & Disposable {
  const made: string[] = []
  return {
    async makeTempDir() {
      const path = await makeTempDir()
      made.push(path)
      return path
    },
    [Symbol.dispose]() {
      // A folder that cannot be removed now is removed at the end of the run.
      for (const path of made) orNothing(() => removeTemporary(path))
    },
  }
}

export function recordInputOf(
  { scenario, account, startRun, signal }: EndedRun,
  { plan, root, env, makeTempDir }: RecordContext & TempDirs,
): RecordInput {
  const { spec, settings, record } = plan
  const keys = new Map(Object.entries(record?.keys[scenario.ordinal - 1] ?? {}))
  const { redactor } = openRedactor([env, spec.frontMatter.env], settingSecrets(settings))
  return {
    spec,
    scenario,
    account,
    keys,
    known: record?.known ?? '',
    root,
    env,
    baseUrl: settings.browser.baseUrl,
    by: [account.evidence.name, account.version ?? []].flat().join(' '),
    redact: redactor.redact,
    makeTempDir,
    replay({ recording }) {
      const planned = planReplay({ ...spec, scenarios: [scenario] }, { mode: 'only', recording, keysOf: () => keys })
      return planned.scenarios[scenario.ordinal] ?? scenario
    },
    startRun: (more) => startRun({ attempt: 1, selected: ordinalsOf(scenario), ...more }),
    now: () => new Date(),
    signal,
  }
}

export function ordinalsOf(scenario: Scenario): ReadonlySet<number> {
  return new Set(stepsOf(scenario).map(({ ordinal }) => ordinal))
}

export type RepeatRun = (run: EndedRun) => Promise<ReproducedScenario>

/** Returns a function that repeats an agent's run without the agent; `undefined` if `reproduce` is `false`. */
export function repeaterOf(
  plan: Plan,
  { address, ...context }: Omit<RecordContext, 'plan'> & { readonly address: HostAddress },
): RepeatRun | undefined {
  const { reproduce, hardTimeoutMs } = plan.settings
  if (reproduce === false) return undefined
  return async (run) => {
    using host = connectHost(address)
    using folders = openTempDirs(host)
    const { makeTempDir } = folders
    // A repetition may take as long as the agent.
    using limit = limitTime(hardTimeoutMs, run.signal)
    const { signal } = limit
    // Loaded here because most runs repeat nothing.
    const { reproduceScenario } = await import('../../recordings/reproduce-scenario.ts')
    return await reproduceScenario(run, {
      inputOf: (part) => recordInputOf({ ...run, ...part, signal }, { ...context, plan, makeTempDir }),
      interruption: () => {
        if (!signal.aborted) return undefined
        return run.signal.aborted
          ? 'The run was interrupted.'
          : `It was not over after ${formatDuration(hardTimeoutMs)}; set a longer \`timeout\`.`
      },
    })
  }
}

export function describePart(
  { line }: Scenario,
  { spec, root }: Pick<Plan, 'spec'> & { readonly root: string },
): string {
  const place = quoteWord(`${relative(root, spec.file)}:${line}`)
  return `Only a part of the scenario was selected, and only whole scenarios are recorded. Run \`${ownCommand} record ${place}\`.`
}

/** Why `mdtest record` refuses to run this part of a scenario. */
export function refusePart(
  scenario: Scenario,
  plan: Pick<Plan, 'spec' | 'replay' | 'record'>,
  { root, selected }: { readonly root: string; readonly selected: ReadonlySet<number> },
): string | undefined {
  // The cheap tests come first: every step of every run calls this, and few runs are `mdtest record`.
  if (plan.record?.command === undefined || isWholeRun(scenario, selected)) return undefined
  const hasAgent = agentStepsOf(plan.replay?.scenarios[scenario.ordinal] ?? scenario).length > 0
  return hasAgent ? `NOT_ELIGIBLE: ${describePart(scenario, { spec: plan.spec, root })}` : undefined
}
