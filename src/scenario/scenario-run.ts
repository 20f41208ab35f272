import type { ScenarioEntry } from '../host/protocol/protocol.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'
import type { ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import { settingSecrets } from '../spec/front-matter/mcp-secrets.ts'
import { recordingFileOf } from '../spec/recording/recording.ts'
import { isLeftOut, stepsOf, userOf, type Step } from '../spec/spec.ts'
import { withResolvers } from '../system/slots-and-timers.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { redactError, redactTexts, type Redact } from '../system/redaction/redact-texts.ts'
import { openRedactor } from '../system/redaction/open-redactor.ts'
import { withoutUndefined } from '../system/without-undefined.ts'
import { AgentSession } from './agent-session.ts'
import { planBlocks, tooLate, withStopped, type PlannedBlocks } from './plan-blocks.ts'
import { startStepLimit } from './scenario-input.ts'
import type { Repeater, ScenarioAccount, ScenarioInput, StepLimit } from './scenario-input.ts'
import { noteOutcome, ScenarioRecord, type LateFinding } from './scenario-record.ts'
import { ScenarioUpdates, type AcceptedRewrites } from './scenario-updates.ts'
import { SettledSteps, type SettledStep } from './settled-step.ts'
import { Workspace } from './workspace/workspace.ts'

/** One attempt at one scenario: setup, steps in order, teardown. The first call of `settle` starts it. */
export class ScenarioRun {
  readonly #input: ScenarioInput
  readonly #steps: readonly Step[]
  readonly #lastSelected: number
  readonly #planned: PlannedBlocks
  readonly #workspace: Workspace
  readonly #agent: AgentSession
  readonly #record: ScenarioRecord
  readonly #updates: ScenarioUpdates
  readonly #repeater: Repeater | undefined
  readonly #settled: SettledSteps
  readonly #redact: Redact
  readonly #secretProblem: Error | undefined
  #hasStopped = false
  #directory: string | undefined
  #isTeardownReported = false
  #launcher: ScenarioEntry['launcher'] | undefined
  #place: 'outside' | 'waiting' | 'inside' | 'repeating' = 'outside'
  readonly #canceled = new AbortController()
  /** Rejects if the scenario is canceled while it waits for its turn. */
  readonly #refused = withResolvers<never>()
  #queue: Promise<unknown> = Promise.resolve()
  #finishing: Promise<void> | undefined

  constructor(input: ScenarioInput) {
    this.#input = input
    this.#lastSelected = Math.max(...input.selected)
    this.#steps = stepsOf(input.scenario).filter((step) => step.ordinal <= this.#lastSelected)
    this.#planned = planBlocks(input.scenario)
    const hasAgent = this.#steps.some((step) => step.actor === 'agent' && !isLeftOut(step))
    this.#repeater = hasAgent ? input.reproduce : undefined
    const { env, spec, settings } = input
    const { redactor, problem } = openRedactor([env, spec.frontMatter.env], settingSecrets(settings))
    this.#redact = redactor.redact
    this.#secretProblem = problem
    this.#updates = new ScenarioUpdates(input)
    const run = {
      ...input,
      steps: this.#steps,
      planned: this.#planned,
      reproduce: this.#repeater,
      afterFailure: input.afterFailure ?? settings.afterFailure,
      updates: this.#updates,
      redact: this.#redact,
    }
    this.#workspace = new Workspace({
      ...run,
      hasTeardown: this.#planned.teardown.length > 0,
      launcher: () => {
        if (this.#launcher) return this.#launcher
        throw new MdtestError('HOST_NOT_ENTERED', 'A block ran before its scenario was let in: a bug of mdtest.')
      },
    })
    input.host.executeWith(this.#workspace.executor)
    this.#agent = new AgentSession(run)
    this.#record = new ScenarioRecord({ ...run, agent: this.#agent })
    this.#settled = new SettledSteps({ ...run, agent: this.#agent, record: this.#record })
    input.host.interruption.addEventListener('abort', this.#cancel, { once: true })
  }

  /** Whether the scenario waits for its turn, its agent or a repetition. Waiting does not count for time limits. */
  get isWaiting(): boolean {
    return this.#place === 'waiting' || this.#place === 'repeating' || this.#agent.isWaiting
  }

  /** Runs the steps up to this one. The teardown follows the last selected step. */
  async settle(ordinal: number, signal: AbortSignal): Promise<SettledStep> {
    // The listener is removed below, because a scenario with several runs passes the same signal for many steps.
    signal.addEventListener('abort', this.#cancel, { once: true })
    try {
      return await this.#withoutSecrets(async () => {
        // With a repeater, the first call runs all steps: the repetition comes after the last step.
        const target = this.#repeater ? this.#lastSelected : ordinal
        // An error stops the scenario: every later step rejects with the same error.
        this.#queue = this.#queue.then(() => this.#advanceTo(target))
        await this.#queue
        if (target === this.#lastSelected) {
          await this.#finish()
          this.#isTeardownReported = true
        }
        return this.#settled.of(ordinal)
      })
    } finally {
      signal.removeEventListener('abort', this.#cancel)
    }
  }

  /** Returns findings without a step: failures of the teardown, and findings about steps that were already settled. */
  async finish(): Promise<readonly LateFinding[]> {
    return this.#withoutSecrets(async () => {
      await this.#finish()
      return [...this.#record.lateFindings(), ...(this.#isTeardownReported ? [] : this.#record.teardownFindings())]
    })
  }

  async acceptedRewrites(): Promise<AcceptedRewrites> {
    await this.#finish().catch(() => {})
    if (this.#canceled.signal.aborted) return new Map()
    const { known } = this.#record
    const passed = this.#steps.filter((step) => this.#record.verdictOn(step).outcome === 'pass')
    return this.#updates.of([
      ...(known.setup.every(isPass) ? this.#planned.setup : []),
      ...passed.flatMap((step) => this.#planned.of(step)),
      ...(known.teardown.every(isPass) ? this.#planned.teardown : []),
    ])
  }

  async account(): Promise<ScenarioAccount | undefined> {
    await this.#finish().catch(() => {})
    return this.#accountNow()
  }

  #accountNow(): ScenarioAccount | undefined {
    const { evidence, calls, unrecordable, version, scratchDir } = this.#agent.progress
    const directory = this.#directory
    if (evidence === undefined || directory === undefined || this.#canceled.signal.aborted) return undefined
    const work = withoutUndefined({ calls, unrecordable, version, scratchDir })
    return { verdict: this.#verdict(), evidence, directory, ...work }
  }

  /** Redacts results and errors, because both reach logs and reporters. */
  async #withoutSecrets<T>(work: () => Promise<T>): Promise<T> {
    try {
      return redactTexts(await work(), this.#redact)
    } catch (error: unknown) {
      throw redactError(error, this.#redact)
    }
  }

  readonly #cancel = (): void => {
    this.#canceled.abort()
    this.#refused.reject(
      new MdtestError('HOST_CANCELED', 'The run was canceled while the scenario waited for its turn.'),
    )
    this.#workspace.cancel()
    this.#agent.cancel()
  }

  async #advanceTo(ordinal: number): Promise<void> {
    if (this.#record.done === 0) await this.#begin()
    for (const step of this.#steps.slice(this.#record.done)) {
      if (step.ordinal > ordinal) break
      const startMs = performance.now()
      if (!this.#hasStopped) await this.#run(step)
      this.#record.complete(step)
      this.#hasStopped ||= this.#record.stopsAt(step)
      await this.#release(step)
      this.#record.time(step, performance.now() - startMs)
      if (step.ordinal < this.#lastSelected && !this.#repeater) this.#record.settle(step)
    }
  }

  async #begin(): Promise<void> {
    if (this.#secretProblem) throw this.#secretProblem
    await this.#enter()
    const outcomes = await this.#workspace.runBlocks(this.#planned.setup)
    this.#record.note({ setup: outcomes })
    await this.#lookForSkip(outcomes)
    this.#hasStopped = !outcomes.every(isPass)
  }

  async #enter(): Promise<void> {
    const { host, spec } = this.#input
    const isReplay = this.#steps.some(({ replay }) => replay !== undefined)
    this.#place = 'waiting'
    const { updateMode, launcher } = await Promise.race([
      host.enterScenario({
        isAlone: spec.frontMatter.sideEffects,
        hasAgent: this.#steps.some(({ actor }) => actor === 'agent'),
        root: this.#input.root,
        spec: [spec.file, ...spec.includes, ...(isReplay ? [recordingFileOf(spec.file)] : [])],
      }),
      this.#refused.promise,
    ])
    this.#updates.mode = updateMode
    this.#launcher = launcher
    this.#place = 'inside'
  }

  async #run(step: Step): Promise<void> {
    if (isLeftOut(step) || step.actor === 'todo') return
    if (step.actor === 'agent' && this.#agent.hasMissed(step) && this.#agent.hasReported) return
    const limit = startStepLimit(step.directives.timeoutMs)
    if (!(await this.#runBlocks(step, 'before', limit))) return
    if (step.actor === 'agent') {
      this.#directory = await this.#workspace.directory()
      await this.#agent.carryOut(step, this.#directory, limit)
      if (!this.#isToVerify(step)) return
    }
    await this.#runBlocks(step, 'after', limit)
  }

  /** Whether `verify` blocks still have to run. A failed step needs none, even if its failure is expected. */
  #isToVerify(step: Step): boolean {
    const { outcome, expected } = this.#record.verdictWithout(step, ['ASSURANCE_TOO_LOW', 'PASSED_UNEXPECTEDLY'])
    return outcome === 'pass' && expected === undefined
  }

  async #release(step: Step): Promise<void> {
    if (!this.#agent.isWorking) return
    if (this.#hasStopped) await this.#agent.end({ kind: 'stop', reason: `The step "${step.title}" did not pass.` })
    else if (this.#agent.isLastAsked(step)) await this.#agent.end({ kind: 'finish' })
  }

  async #runBlocks(step: Step, time: 'before' | 'after', limit: StepLimit | undefined): Promise<boolean> {
    const blocks = this.#planned.of(step).filter(({ role }) => (role === 'verify') === (time === 'after'))
    const outcomes =
      step.actor === 'agent' && time === 'before' && this.#agent.hasMissed(step)
        ? blocks.map(tooLate)
        : await this.#workspace.runBlocks(blocks, {
            limit,
            isFixed: step.directives.fails === true,
            row: step.example && step.id,
            user: userOf(step, this.#input.spec.frontMatter),
          })
    await this.#lookForSkip(outcomes)
    this.#record.add(step, withStopped(outcomes, this.#agent.progress.stopped))
    return outcomes.every(isPass)
  }

  /** Notes a skip after an agent has run, because the agent may have caused the skip. */
  async #lookForSkip(outcomes: readonly BlockOutcome[]): Promise<void> {
    if (outcomes.every(({ status }) => status !== 'skipped')) return
    if (await this.#input.host.hadAgents()) this.#record.note({ isAfterAgents: true })
  }

  #finish(): Promise<void> {
    // Ignore the error: the failed step reports it. The teardown must run in any case.
    return (this.#finishing ??= this.#queue.catch(() => {}).then(() => this.#tearDown()))
  }

  async #tearDown(): Promise<void> {
    const { host } = this.#input
    try {
      // The agent still works if the scenario ends before its last step.
      if (this.#agent.isWorking) {
        this.#agent.cancel()
        await this.#agent.end({ kind: 'stop', reason: 'The test run ends here.' })
      }
      // Without a turn there is nothing to tear down, and a teardown could disturb scenarios that run now.
      if (this.#place === 'inside')
        this.#record.note({ teardown: await this.#workspace.tearDown(this.#planned.teardown) })
      // An incomplete run has no verdict: blocks of later steps could still fail.
      const isWhole = this.#hasStopped || this.#record.done === this.#lastSelected
      if (isWhole) await this.#repeat()
      // Call `#verdict` only once, because `rate` counts each call as a run.
      const verdict = isWhole ? this.#verdict() : undefined
      if (verdict) await this.#agent.recordVerdict(verdict)
      if (!host.interruption.aborted) await noteOutcome(this.#input, verdict, this.#agent.evidence)
    } finally {
      await this.#workspace.close()
      host.close()
    }
  }

  /** Repeats the steps. Closes the workspace first, so that no directory or process of the agent is left. */
  async #repeat(): Promise<void> {
    if (this.#repeater === undefined) return
    await this.#workspace.close()
    this.#input.host.leaveScenario()
    this.#place = 'repeating'
    const account = this.#accountNow()
    const repeated = account ? await this.#repeater.repeat(account, this.#canceled.signal) : {}
    this.#record.note({ repeated })
  }

  #verdict(): ScenarioVerdict {
    const verdict = this.#record.verdict()
    return this.#input.rate?.(verdict) ?? verdict
  }
}

function isPass({ status }: BlockOutcome): boolean {
  return status === 'pass'
}
