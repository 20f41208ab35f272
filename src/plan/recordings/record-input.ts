import type { HostClient } from '../../host/server/connect-host.ts'
import type { RecordInput } from '../../recordings/record-scenario.ts'
import { settingSecrets } from '../../spec/front-matter/secrets.ts'
import type { ScenarioAccount } from '../../scenario/scenario-input.ts'
import { stepsOf, type Scenario } from '../../spec/spec.ts'
import { openRedactor } from '../../system/redaction/redact.ts'
import type { Plan } from '../plan.ts'
import { planReplay } from './replay.ts'
import type { StartRun } from '../start-run.ts'
import { removeTemporary } from '../../system/files/write-file.ts'

export interface RecordContext {
  readonly plan: Plan
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

/** A run of an agent that is over. */
export interface EndedRun {
  readonly scenario: Scenario
  readonly account: ScenarioAccount
  readonly startRun: StartRun
  readonly signal: AbortSignal
}

type Surroundings = Pick<RecordInput, 'makeTempDir'>

/** Directories that are made one by one and removed together. */
export function openTempDirs({ makeTempDir }: Pick<HostClient, 'makeTempDir'>): Pick<RecordInput, 'makeTempDir'> & {
  removeAll(): void
} {
  const made: string[] = []
  return {
    async makeTempDir() {
      const path = await makeTempDir()
      made.push(path)
      return path
    },
    removeAll() {
      for (const path of made) {
        try {
          removeTemporary(path)
        } catch {
          // It goes with the run.
        }
      }
    },
  }
}

/** What a recording of a run is made with. */
export function recordInputOf(
  { scenario, account, startRun, signal }: EndedRun,
  { plan, root, env, makeTempDir }: RecordContext & Surroundings,
): RecordInput {
  const { spec, settings, record } = plan
  const keys = record?.keys[scenario.ordinal - 1] ?? {}
  const { redactor } = openRedactor({
    envs: [env, spec.frontMatter.env],
    names: settings.secrets,
    others: settingSecrets(settings),
  })
  return {
    spec,
    scenario,
    account,
    keys: new Map(Object.entries(keys)),
    known: record?.known ?? '',
    root,
    env,
    baseUrl: settings.browser.baseUrl,
    by: [account.evidence.name, ...(account.version === undefined ? [] : [account.version])].join(' '),
    redact: redactor.redact,
    makeTempDir,
    replay: ({ recording }) => {
      const keysOf = (): ReadonlyMap<string, string> => new Map(Object.entries(keys))
      const planned = planReplay({ ...spec, scenarios: [scenario] }, { mode: 'only', recording, keysOf })
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
