import { agentStepsOf } from '../scenario/plan-blocks.ts'
import { dirname } from 'node:path'
import { requiredVariables } from '../blocks/shell/shell-environment.ts'
import type { StepToWrite } from '../spec/recording/format-recording.ts'
import { stepsOf, titledLineOf, type Scenario, type Step } from '../spec/spec.ts'
import { redactTexts } from '../system/redaction/redact-texts.ts'
import type { StepReport } from '../records/result-log/result-log.ts'
import { derivePieces, type ReportedStep } from './derive/derive-pieces.ts'
import { notEligible, refuseAt, refuseUntried } from './gates/refuse-to-record.ts'
import type { ScenarioAccount } from '../scenario/scenario-input.ts'
import { formsOf, holdsPath } from './derive/put-variable.ts'
import type { RecordingRefusal } from '../records/recorded-reason.ts'
import { tryCandidate, type Trial } from './gates/try-candidate.ts'

export type ScenarioRecording =
  | { readonly ok: true; readonly steps: readonly StepToWrite[] }
  | { readonly ok: false; readonly refusals: Refusals }

type Refusals = readonly [RecordingRefusal, ...RecordingRefusal[]]

export interface RecordInput extends Omit<Trial, 'steps'> {
  readonly account: ScenarioAccount
  readonly keys: ReadonlyMap<string, string>
  readonly baseUrl: string | undefined
  readonly by: string
  readonly redact: (text: string) => string
}

/** Records an agent's work if a replay of it passes and can fail. An error, such as a full disk, becomes a refusal. */
export async function recordScenario(input: RecordInput): Promise<ScenarioRecording> {
  const { scenario } = input
  const made = await makeRecording(input).catch((error: unknown): ScenarioRecording => {
    return { ok: false, refusals: [refuseUntried(scenario, error)] }
  })
  if (made.ok) return made
  // Refusals are shown and stored, and may quote secrets from commands.
  const [refusal, ...more] = redactTexts(made.refusals, input.redact)
  return { ok: false, refusals: [refusal, ...more, ...keptBack(scenario, made.refusals)] }
}

async function makeRecording(input: RecordInput): Promise<ScenarioRecording> {
  const { spec, scenario, account, keys, known, root, env } = input
  const { requires, env: own, cwd } = spec.frontMatter
  const { directory, scratchDir } = account
  const unfit = notEligible(spec, scenario, account)
  if (unfit) return { ok: false, refusals: [unfit] }
  const variables = [...Object.keys(own), ...requiredVariables(requires)]
  const titles = new Map(stepsOf(scenario).map(({ id, title }) => [id, title]))
  const derived = derivePieces({
    steps: reportedSteps(account.evidence.reports ?? []),
    calls: account.calls ?? [],
    directory,
    roots: cwd === 'copy' ? [directory, root] : [root],
    known,
    browser: {
      baseUrl: input.baseUrl,
      isSecret: (text) => input.redact(text) !== text,
      variableWith: (value) => variables.find((name) => (own[name] ?? env[name]) === value),
    },
    scratchDir,
  })
  const obstacles = derived.obstacles.filter(
    ({ step }, index, all) => index === all.findIndex((other) => other.step === step),
  )
  const [obstacle, ...more] = obstacles.map(({ step: id, code, why }) => refuseAt(scenario, { id, code, message: why }))
  if (obstacle) return { ok: false, refusals: [obstacle, ...more] }
  const candidates = derived.steps.map(({ step, pieces }) => {
    return { step, pieces, title: titles.get(step) ?? step, key: keys.get(step) ?? '' }
  })
  const tried = await tryCandidate({ ...input, steps: candidates })
  if ('code' in tried) return { ok: false, refusals: [tried] }
  const on = input.now().toISOString().slice(0, 10)
  const written = candidates.map(({ step, title, key }) => {
    return { step, title, key, by: input.by, on, body: tried.bodies.get(step) ?? '' }
  })
  const [unclean, ...others] = written
    .filter(({ body }) => input.redact(body) !== body || isOfMachine(body, input))
    .map(({ step: id }) => refuseAt(scenario, { id, code: 'UNCLEAN', message: uncleanMessage }))
  if (unclean) return { ok: false, refusals: [unclean, ...others] }
  return { ok: true, steps: written.map(({ step: _step, ...rest }) => rest) }
}

const uncleanMessage =
  'Its commands or what they print hold a secret or a path of this machine. Take it from a variable of the environment.'

function reportedSteps(reports: readonly StepReport[]): readonly ReportedStep[] {
  const ids = [...new Set(reports.map(({ id }) => id))]
  return ids.map((step) => ({ step, quotes: reports.filter(({ id }) => id === step).flatMap(quotesOf) }))
}

function quotesOf({ evidence = [], checks = [] }: StepReport): readonly string[] {
  const all = [...evidence, ...checks.flatMap((check) => check.evidence ?? [])]
  return [...new Set(all.flatMap((one) => (typeof one === 'string' ? [] : [one.quote])))]
}

function isOfMachine(text: string, { root, env }: RecordInput): boolean {
  const own = [root, dirname(root), env['HOME'] ?? ''].filter((path) => path.length > 1)
  return own.some((path) => holdsPath(text, formsOf(path)))
}

/** Steps that are not recorded only because of another step. Empty if the whole scenario is refused. */
export function keptBack(scenario: Scenario, refusals: Refusals): readonly RecordingRefusal[] {
  const [cause] = refusals
  const isRefused = (step: Step): boolean =>
    refusals.some(({ line, file, step: title }) => line === step.line && file === step.file && title === step.title)
  const steps = agentStepsOf(scenario)
  const at = steps.findIndex(isRefused)
  if (at === -1) return []
  return steps.flatMap((step, index): readonly RecordingRefusal[] => {
    if (isRefused(step)) return []
    const where = cause.file === step.file ? `at line ${cause.line}` : `"${cause.step}"`
    const why =
      index < at
        ? `the step ${where} keeps its agent, and an agent never works on from a replay`
        : `nobody can try it without the agent of the step ${where}`
    const message = `${why}. Mend that step, or put the two into scenarios of their own.`
    return [{ code: cause.code, ...titledLineOf(step), message, isKeptBack: true }]
  })
}
