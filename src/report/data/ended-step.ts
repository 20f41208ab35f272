import { countedUsage } from '../../records/tokens-and-cost.ts'
import { withReason } from '../../records/step-source.ts'
import { planSpec } from '../../plan/plan-spec.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import type { StepMeta } from '../../plan/step-meta.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { EndedSpec, EndedStep } from './spec-record.ts'

const maxSpecBytes = 512 * 1024 * 1024

/** Reads a spec after its run. The text is the one that was run, unless `-u` updated it. */
export function readSource(
  file: string,
  { root, config }: { readonly root: string; readonly config: Pick<SpecsConfig, 'options' | 'commandLine'> },
): Pick<EndedSpec, 'text' | 'parsed' | 'included' | 'baseUrl'> {
  const bytes = readForeignFile(file, maxSpecBytes)
  if (bytes === undefined) return { included: new Map() }
  const planned = planSpec(bytes, { file, root, ...config })
  const text = bytes.toString('utf8')
  if (!planned.ok) return { text, included: planned.included }
  const { spec: parsed, settings } = planned.plan
  const { baseUrl } = settings.browser
  return { text, included: planned.included, parsed, ...(baseUrl !== undefined && { baseUrl }) }
}

interface EndedTest extends Pick<EndedStep, 'titles' | 'line' | 'durationMs'> {
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
  /** Data about the step; `undefined` if no part of it was run. */
  readonly meta: StepMeta | undefined
  readonly errors: readonly string[]
}

const outcomes = { passed: 'pass', failed: 'fail', skipped: 'skipped', pending: 'fail' } as const

export function endedStepOf({ state, meta, errors, ...common }: EndedTest, pathOf: (log: string) => string): EndedStep {
  if (meta === undefined) {
    return { ...common, outcome: outcomes[state], reasons: errors.map((message) => ({ code: 'ERROR', message })) }
  }
  const { outcome, assurance, source, executor, reasons, expected, change, rate, flaky, log, usage } = meta
  return withoutUndefined<EndedStep>({
    ...common,
    // A test can fail although its step passed, for example at its time limit.
    outcome: state === 'failed' && (outcome === 'pass' || outcome === 'skipped') ? 'fail' : outcome,
    ...{ assurance, source, executor, reasons, expected, change, rate, flaky },
    logFile: log === undefined ? undefined : pathOf(log),
    usage: usage && countedUsage(usage),
  })
}

export function withFiles<Step extends Pick<EndedStep, 'source' | 'reasons' | 'expected'>>(
  step: Step,
  pathOf: (file: string) => string,
): Step {
  const named = <T extends Pick<EndedStep['reasons'][number], 'file'>>(reason: T): T =>
    reason.file === undefined ? reason : { ...reason, file: pathOf(reason.file) }
  const { source, reasons, expected } = step
  return {
    ...step,
    ...(source && { source: withReason(source, named) }),
    reasons: reasons.map(named),
    ...(expected && { expected: expected.map(named) }),
  }
}
