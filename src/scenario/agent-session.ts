import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { AgentProgress, AgentStart, Direction, ScenarioRequest, StepTimeout } from '../host/protocol/protocol.ts'
import type { ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import { isWeaker } from '../records/outcome.ts'
import { blocksOf, isLeftOut, stepsOf, userOf } from '../spec/spec.ts'
import type { Step, Scenario, Spec, SpecPart } from '../spec/spec.ts'
import type { AgentEvidence } from '../verdict/verdict.ts'
import { placeOfFileBlock } from '../blocks/write-file-block.ts'
import type { ScenarioInput, StepLimit } from './scenario-input.ts'
import { placeInCopy } from './workspace/workspace.ts'

interface SessionOptions extends Pick<ScenarioInput, 'spec' | 'scenario' | 'settings' | 'root' | 'host' | 'attempt'> {
  readonly steps: readonly Step[]
}

/** The agent of a scenario. It starts at the first step with prose and gets a direction after each step. */
export class AgentSession {
  readonly #options: SessionOptions
  readonly #asked: readonly Step[]
  readonly #requestId = randomUUID()
  #state: 'unstarted' | 'starting' | 'working' | 'ended' | 'failed' = 'unstarted'
  #files: AgentStart = {}
  #progress: AgentProgress | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.#asked = options.steps.filter((step) => step.actor === 'agent' && !isLeftOut(step))
  }

  get evidence(): AgentEvidence | undefined {
    return this.#progress?.evidence
  }

  get logFile(): string | undefined {
    return this.#files.logFile
  }

  get progress(): Partial<AgentProgress> {
    return this.#progress ?? {}
  }

  get isWorking(): boolean {
    return this.#state === 'working'
  }

  /** Whether the agent waits for its start, because the number of running agents is limited. */
  get isWaiting(): boolean {
    return this.#state === 'starting'
  }

  /** Whether the agent ended before it could start this step. */
  hasMissed(step: Step): boolean {
    return this.#state === 'ended' && this.#asked.indexOf(step) > 0
  }

  get hasReported(): boolean {
    return (this.evidence?.reports ?? []).length > 0
  }

  imagesOf(step: Step): readonly string[] {
    const dir = this.#files.evidenceDir
    if (dir === undefined) return []
    const isOfStep = (id = this.#asked.at(-1)?.id): boolean => id === step.id
    return (this.#progress?.images ?? []).flatMap((one) => (isOfStep(one.step) ? join(dir, one.file) : []))
  }

  isLastAsked(step: Step): boolean {
    return this.#asked.at(-1) === step
  }

  /** Lets the agent try a step. Returns after the agent's report or end, or at the step's time limit. */
  async carryOut(step: Step, cwd: string, limit: StepLimit | undefined): Promise<void> {
    if (this.#state === 'unstarted') {
      // Waiting for other agents does not count against the step's limit.
      const started = this.#start(cwd)
      await (limit?.without(started) ?? started)
    } else if (this.isWorking) this.#options.host.direct(this.#requestId, { kind: 'go-on' })
    if (!this.isWorking) return
    const { limitMs = 0, leftMs } = limit ?? {}
    await this.#awaitProgress(leftMs && { limitMs, leftMs: Math.max(0, leftMs()), step: step.title })
  }

  async end(direction: Exclude<Direction, { readonly kind: 'go-on' }>): Promise<void> {
    if (this.isWorking) this.#options.host.direct(this.#requestId, direction)
    while (this.isWorking) await this.#awaitProgress()
  }

  cancel(): void {
    if (this.#state !== 'ended') this.#options.host.cancel(this.#requestId)
  }

  /** @throws {MdtestError} if a pass cannot be written: a forged verdict by the agent could stay in its place */
  async recordVerdict(verdict: ScenarioVerdict): Promise<void> {
    if (this.logFile === undefined || this.#state !== 'ended') return
    try {
      await this.#options.host.finishAgent(this.#requestId, verdict)
    } catch (error: unknown) {
      if (verdict.outcome === 'pass') throw error
    }
  }

  async #start(cwd: string): Promise<void> {
    this.#state = 'starting'
    this.#files = await this.#ask(this.#options.host.startAgent(this.#request(cwd)))
    this.#state = 'working'
  }

  async #awaitProgress(limit?: StepTimeout): Promise<void> {
    this.#progress = await this.#ask(this.#options.host.awaitStep(this.#requestId, limit))
    if (this.#progress.kind === 'ended') this.#state = 'ended'
  }

  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error: unknown) {
      this.#state = 'failed'
      throw error
    }
  }

  #request(cwd: string): ScenarioRequest {
    const { spec, scenario, settings, root, attempt } = this.#options
    const { cwd: place, env, writes, requires } = spec.frontMatter
    const copyOf = (file: string) => (place === 'copy' ? placeInCopy(file, root, cwd) : undefined)
    const specCopy = copyOf(spec.file)
    const hasLogin = [spec.frontMatter, ...this.#asked.map(({ directives }) => directives)].some(({ login }) => login)
    const { minAssurance = 'evidenced' } = settings.policy ?? {}
    const isQuoteNeeded = !isWeaker(minAssurance, 'evidenced')
    return {
      requestId: this.#requestId,
      specFile: spec.file,
      includedFiles: spec.includes,
      specAgent: spec.agent,
      ...((settings.recordings || settings.reproduce !== false) && { isToBeRecorded: true }),
      ...(spec.scenarios.length > 1 && { scenarioTitle: scenario.title }),
      title: scenario.title,
      parts: specPartsOf(spec, scenario),
      attempt,
      root,
      cwd,
      ...(specCopy !== undefined && { specCopy }),
      ...((place === 'copy' || place === 'temp') && { ownFolder: place }),
      writtenFiles: blocksOf(scenario).flatMap((block) =>
        block.kind === 'file' && !block.attributes.skip ? placeOfFileBlock(block, cwd) : [],
      ),
      includedCopies: spec.includes.flatMap((file) => copyOf(file) ?? []),
      settings,
      env,
      writes,
      needsBrowser: requires.includes('browser') || hasLogin,
      steps: this.#asked.map(({ id, title, example, checks, blocks, directives, isCodeAlone }) => ({
        id,
        actsAs: userOf({ directives }, spec.frontMatter),
        needsQuotes: isQuoteNeeded && !blocks.some(({ role }) => role === 'verify'),
        title,
        example,
        checks: checks.length,
        checkLines: checks.map(({ line }) => line),
        isCodeAlone,
        ...(scenario.isApart && checks.length > 0 && { checkTexts: checks.map(({ text }) => text) }),
      })),
      otherSteps: stepsOf(scenario)
        .filter((step) => !this.#asked.includes(step))
        .map(({ id, title, example }) => ({ id, title, example })),
      hasSetupProse: scenario.setup?.hasProse ?? false,
      hasTeardownProse: scenario.teardown?.hasProse ?? false,
    }
  }
}

function specPartsOf(spec: Spec, scenario: Scenario): readonly SpecPart[] | undefined {
  if (scenario.isApart !== true) return undefined
  const { setup, teardown, children, preambles = [] } = scenario
  const used = new Set([setup, teardown, ...children, ...preambles].flatMap((part) => part?.file ?? []))
  const included = spec.includes.filter((file) => used.has(file))
  const told = preambles.filter(({ file }) => file === undefined || !spec.includes.includes(file))
  const { line, endLine, lines = [{ line, endLine }] } = scenario
  return [
    ...told.map(({ file, ...lines }): SpecPart => ({
      file: file ?? spec.file,
      ...lines,
      kind: file === undefined ? 'context' : 'seed',
    })),
    ...included.map((file): SpecPart => ({ file, line: 1, kind: 'included' })),
    ...lines.map((own): SpecPart => ({ file: spec.file, ...own, kind: 'scenario' })),
  ]
}
