import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { connectHost } from '../host/server/connect-host.ts'
import { hashBytes } from '../host/guard/file-state.ts'
import type { HostAddress } from '../host/protocol/protocol.ts'
import { ScenarioRun } from '../scenario/scenario-run.ts'
import type { SettledStep } from '../scenario/settled-step.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { Attempts } from '../plan/scenario-attempts.ts'
import { describeFailure, describeInterruption, describeLate } from '../plan/describe-failure.ts'
import type { FailureDetails, StepAddress } from '../plan/describe-failure.ts'
import { repeaterOf } from '../plan/recordings/record-run.ts'
import { stepMetaOf } from '../plan/build-step-meta.ts'
import type { EndedStep } from '../plan/summary-lines.ts'
import { updateSpec } from '../plan/update-spec.ts'
import { findOtherOptions } from './project-options.ts'
import { plannedTests, selectedSteps, type PlannedTest } from './planned-tests.ts'
import type { JestPlan, ServerSettings } from './protocol.ts'
import type { ModuleRunner } from '../blocks/module/run-module.ts'
import type { Reason, Verdict } from '../verdict/verdict.ts'
import { nameLog } from '../records/folders/log-file.ts'

export interface SessionContext {
  readonly settings: ServerSettings
  readonly address: HostAddress
  onStep(step: EndedStep, test: { readonly file: string; readonly place: number }): void
}

export class SpecSession {
  readonly #plan: JestPlan
  readonly #env: NodeJS.ProcessEnv
  readonly #context: SessionContext
  readonly #attempts: Attempts
  readonly #tests: readonly PlannedTest[]
  /** Tests that have run since the scenario was last started. */
  readonly #asked = new Set<PlannedTest>()
  readonly #gone = new AbortController()

  constructor({ plan, env }: { readonly plan: JestPlan; readonly env: NodeJS.ProcessEnv }, context: SessionContext) {
    this.#plan = plan
    this.#env = env
    this.#context = context
    const repeatRun = repeaterOf(plan, { address: context.address, root: plan.root, env })
    this.#attempts = new Attempts(plan, { env, mayStart: true, repeatRun })
    this.#tests = plannedTests(plan.spec)
  }

  async step(scenarioOrdinal: number, ordinal: number): Promise<FailureDetails | undefined> {
    const test = this.#testAt(scenarioOrdinal, ordinal)
    try {
      await this.#checkPlan()
      return await this.#settle(test)
    } catch (error: unknown) {
      this.#tell(test, { state: 'failed', meta: undefined })
      return describeInterruption(error, { ...test, ordinal })
    }
  }

  async end(scenarioOrdinal: number): Promise<FailureDetails | undefined> {
    return describeLate(await this.#attempts.finish(scenarioOrdinal))
  }

  close(): Promise<FailureDetails | undefined> {
    return updateSpec(this.#attempts, { plan: this.#plan, address: this.#context.address, hasSnapshots: false })
  }

  /** Call when the connection is closed. Ends all work and tears down all scenarios. */
  async abandon(): Promise<void> {
    this.#gone.abort()
    await Promise.allSettled(this.#plan.spec.scenarios.map(({ ordinal }) => this.#attempts.finish(ordinal)))
  }

  /** Runs a step with its retries. With `jest.retryTimes`, Jest may then ask for the same step once more. */
  async #settle(test: PlannedTest): Promise<FailureDetails | undefined> {
    const { scenario, step } = test
    let tries = 0
    let settled: SettledStep
    do {
      settled = await this.#tryOnce(test)
      tries += 1
    } while (tries <= test.retry && ['fail', 'blocked'].includes(settled.verdict.outcome))
    const { verdict, logFile, rate, source } = settled
    const log = logFile === undefined ? undefined : relative(this.#plan.root, logFile)
    const isPass = verdict.outcome === 'pass'
    this.#tell(test, { state: isPass ? 'passed' : 'failed', meta: stepMetaOf(settled, { log, tries }) })
    if (isPass) return undefined
    const shown = { scenario, ordinal: step.ordinal, log: nameLog(logFile, this.#plan.root), rate, source }
    return verdict.outcome === 'skipped' ? describeNotRun(verdict, shown) : describeFailure(verdict, shown)
  }

  #tell(test: PlannedTest, step: EndedStep): void {
    this.#context.onStep(step, { file: this.#plan.spec.file, place: this.#tests.indexOf(test) })
  }

  #tryOnce(test: PlannedTest): Promise<SettledStep> {
    const { scenario, step } = test
    const { ordinal } = step
    const { namePattern } = this.#context.settings
    const selected = new Set([...selectedSteps(this.#tests, { scenario, namePattern }), ordinal])
    const isRetry = this.#asked.has(test)
    // A retry runs the whole scenario again, so forget which of its steps have run.
    if (isRetry) for (const each of this.#tests) if (each.scenario === scenario) this.#asked.delete(each)
    this.#asked.add(test)
    const { spec, settings, hashes, root } = this.#plan
    return this.#attempts.settle({ scenario, ordinal, isRetry, selected, signal: this.#gone.signal }, (more) => {
      const given = { spec, settings, hashes, root, env: this.#env, executeModule: refuseModule }
      return new ScenarioRun({ ...given, scenario, host: connectHost(this.#context.address), selected, ...more })
    })
  }

  #testAt(scenarioOrdinal: number, ordinal: number): PlannedTest {
    const test = this.#tests.find((one) => one.scenario.ordinal === scenarioOrdinal && one.step.ordinal === ordinal)
    if (test) return test
    throw new MdtestError('SPEC_INTERNAL', `The plan of ${this.#plan.spec.file} has no step ${ordinal}.`)
  }

  /** Throws if options of projects differ or a file has changed. Jest does not notice changes of included files. */
  async #checkPlan(): Promise<void> {
    const problem = findOtherOptions(this.#plan.options, this.#context.settings.options)
    if (problem !== undefined) throw new MdtestError('OPTION_INVALID', problem)
    if (this.#asked.size > 0) return
    for (const [file, hash] of Object.entries(this.#plan.hashes)) {
      const bytes = await readFile(file).catch(() => undefined)
      if (bytes !== undefined && hashBytes(bytes) === hash) continue
      const message = 'has changed since Jest read the spec. Save the spec as well, or start Jest again.'
      throw new MdtestError('SPEC_STALE', `${relative(this.#plan.root, file)} ${message}`)
    }
  }
}

/** Refuses `ts` and `js` blocks, because they need Vite and Vitest's `expect`. */
const refuseModule: ModuleRunner = async ({ language, line }) => [
  {
    line,
    message: `Under Jest no \`${language}\` block can be run. Write it as a \`sh\` block, or run the spec with Vitest.`,
  },
]

/** Describes a step that was not run. It counts as failed, because Jest cannot skip a test that has already begun. */
function describeNotRun(verdict: Verdict, { scenario, ordinal }: StepAddress): FailureDetails {
  const details = describeFailure(verdict, { scenario, ordinal, log: undefined, rate: undefined })
  return { ...details, message: `not run: ${verdict.reasons.map(describeSkip).join('\n')}` }
}

function describeSkip({ code, message }: Reason): string {
  if (code !== 'PREDECESSOR_FAILED') return `${code}: ${message}`
  return message.replace(/^Not judged, because (?:step "(.*)" (failed|was blocked)|(.*))\.$/s, (...match) => {
    const [, step, how, other] = match.map(String)
    return match[1] === undefined ? (other ?? message) : `step ${step} ${how}`
  })
}
