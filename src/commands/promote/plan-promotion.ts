import { readFileSync, realpathSync } from 'node:fs'
import { relative } from 'node:path'
import type { ResolvedOptions } from '../../plan/options/resolve-options.ts'
import type { Plan } from '../../plan/plan.ts'
import { planSpec } from '../../plan/plan-spec.ts'
import { replayedStep } from '../../plan/recordings/replay.ts'
import { replaysOf } from '../../plan/recordings/recorded-states.ts'
import { blocksForSpec, changeRecording } from '../../spec/recording/edit-recording.ts'
import { parseRecording } from '../../spec/recording/parse-recording.ts'
import { promoteSteps } from '../../spec/recording/promote-steps.ts'
import type { RecordedStep } from '../../spec/recording/recording.ts'
import { formatProblems } from '../../spec/problems.ts'
import { mapSteps, type Scenario, type Step } from '../../spec/spec.ts'
import { describeFileError } from '../../system/files/describe-file-error.ts'
import { isInside } from '../../system/files/is-inside.ts'
import { isTextSpec } from '../../system/spec-endings.ts'
import { ownCommand } from '../../system/own-command.ts'
import type { AskedAgent } from '../common/asked-specs.ts'
import type { FoundSpec } from '../common/find-specs.ts'
import { chooseSteps, type ChosenStep } from './choose-steps.ts'
import { findDeviation, findOtherPage } from './find-deviation.ts'
import type { TextChange } from './write-whole.ts'

/** What is to be written for one spec. */
export interface Promotion {
  readonly ok: true
  /** Absolute path of the spec. */
  readonly file: string
  readonly steps: readonly Pick<Step, 'line' | 'title'>[]
  /** Those with promoted steps: recorded blocks are in the place of the agent there. */
  readonly scenarios: readonly Scenario[]
  /** Of the web application. */
  readonly baseUrl: string | undefined
  /** The spec first: what fails behind it takes it back. */
  readonly changes: readonly TextChange[]
}

/** Why steps of a spec cannot be promoted, each with its line and a way out. */
interface RefusedPromotion {
  readonly ok: false
  readonly problems: readonly string[]
}

interface PlanContext {
  /** Absolute path of the suite root. */
  readonly root: string
  readonly options: ResolvedOptions
  /** Of the command line. */
  readonly agent?: AskedAgent | undefined
  /** Whether the spec stays as it is, and what was recorded becomes something else. Default: no. */
  readonly isPrinted?: boolean
}

/** Finds out what the files of a spec have to hold so that recorded steps need no agent. Writes nothing. */
export function planPromotion(
  { file, lines }: FoundSpec,
  { root, options, agent, isPrinted = false }: PlanContext,
): Promotion | RefusedPromotion {
  const name = relative(root, file)
  const refuse = (...problems: readonly string[]): RefusedPromotion => ({ ok: false, problems })
  if (isTextSpec(file) && !isPrinted)
    return refuse(`${name}: it is no markdown, so it holds no blocks. Its recording is repeated as it is.`)
  const read = readWithin(file, root)
  if ('problem' in read) return refuse(`${name}: ${read.problem}`)
  const before = read.text
  const context = { file, root, options }
  const commandLine = { recordings: true, ...(agent !== undefined && { agent }) }
  const planned = planSpec(before, { ...context, commandLine: { ...commandLine, replay: 'auto' } })
  if (!planned.ok) {
    const { problems, included } = planned
    return refuse(`${name} has problems:\n${formatProblems(problems, { text: before, included, root })}`)
  }
  const { recordingFile, plan } = planned
  const { spec, record } = plan
  const recorded = planned.included.get(recordingFile) ?? ''
  const { recording } = parseRecording(recorded, recordingFile)
  const keys = record?.keys ?? []
  const keyOf = (ordinal: number, { id }: Pick<Step, 'id'>): string => keys[ordinal - 1]?.[id] ?? ''
  const nameOf = (line: number, included = file): string => `${relative(root, included)}:${line}`
  const chosen = chooseSteps(spec, {
    lines,
    agent,
    nameOf,
    replays: (scenario) =>
      replaysOf(scenario, {
        scenarios: spec.scenarios,
        recording,
        keys: new Map(Object.entries(keys[scenario.ordinal - 1] ?? {})),
      }),
  })
  if (chosen.problems.length > 0) return refuse(...chosen.problems)
  const steps = chosen.steps.map(({ ordinal, step }) => {
    const found = recording.steps.find(({ key }) => key === keyOf(ordinal, step)) as RecordedStep // it is current
    return { ordinal, step, found, body: blocksForSpec(found, recorded) }
  })
  const about = { file, baseUrl: planned.plan.settings.browser.baseUrl }
  if (steps.length === 0) return { ok: true, ...about, steps: [], scenarios: [], changes: [] }
  const replayed = spec.scenarios.map((scenario) =>
    mapSteps(scenario, (step) => {
      const one = steps.find(({ ordinal, step: { id } }) => ordinal === scenario.ordinal && id === step.id)
      return one ? replayedStep(step, { blocks: one.found.blocks, replay: 'current' }) : step
    }),
  )
  const after = promoteSteps(before, steps)
  const again = planSpec(after, { ...context, commandLine: { ...commandLine, replay: 'off' } })
  if (!again.ok) {
    const { problems, included } = again
    const told = formatProblems(problems, { text: after, included, root })
    return refuse(`${name} would have problems with the blocks in it. Write them by hand.\n${told}`)
  }
  const deviation = findDeviation({ scenarios: replayed }, again.plan.spec)
  if (deviation !== undefined) {
    const { line, message } = deviation
    return refuse(`${name}:${line}: ${message} Move the blocks of ${relative(root, recordingFile)} by hand.`)
  }
  const otherPage = findOtherPage({ scenarios: replayed }, ({ ordinal }, step) => {
    const found = recording.steps.find(({ key }) => key === keyOf(ordinal, step))
    return found === undefined || found.blocks.some(({ kind }) => kind === 'browser')
  })
  if (otherPage !== undefined && !isPrinted)
    return refuse(`${nameOf(otherPage.line, otherPage.file)}: ${otherPage.message}`)
  const rest = changeRecording(recorded, recording, keysAfter(keys, again.plan.record?.keys ?? [], steps))
  return {
    ok: true,
    ...about,
    steps: steps.map(({ step: { line, title } }) => ({ line, title })),
    scenarios: replayed.filter((scenario) => steps.some(({ ordinal }) => ordinal === scenario.ordinal)),
    changes: [
      { file, before, after },
      { file: recordingFile, before: recorded, after: rest },
    ],
  }
}

type Keys = NonNullable<Plan['record']>['keys']

/** New keys by old. Scenarios that say the same share one, and what is promoted of the one may stay with the other. */
function keysAfter(
  before: Keys,
  after: Keys,
  promoted: readonly ChosenStep[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>()
  for (const [index, old] of before.entries()) {
    for (const [id, key] of Object.entries(old)) {
      const isPromoted = promoted.some(({ ordinal, step }) => ordinal === index + 1 && step.id === id)
      const others = keys.get(key) ?? new Set()
      if (!isPromoted) others.add(after[index]?.[id] ?? key)
      keys.set(key, others)
    }
  }
  return keys
}

/** What is written back has to be what was read, and no link may lead the pen out of the root. */
function readWithin(file: string, root: string): { readonly text: string } | { readonly problem: string } {
  try {
    if (!isInside(realpathSync(file), root))
      return { problem: `it is a link to a file outside of the suite root. Run \`${ownCommand} promote\` there.` }
    const bytes = readFileSync(file)
    const text = bytes.toString('utf8')
    return Buffer.from(text).equals(bytes) ? { text } : { problem: 'it is not valid UTF-8. Save it as UTF-8.' }
  } catch (error: unknown) {
    return { problem: `it cannot be read: ${describeFileError(error)}` }
  }
}
