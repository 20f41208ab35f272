import { mkdirSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { createScenarioBrowser, type ScenarioBrowser } from '../../blocks/browser/scenario-browser.ts'
import { Captures } from '../../blocks/captures.ts'
import { runBlocks } from '../../blocks/run-blocks.ts'
import { createBlockServices, type BlockServices } from '../../blocks/service/block-services.ts'
import { traceReads, type Tracing } from '../../blocks/shell/trace-reads.ts'
import { openScenarioShell } from '../../blocks/shell/open-scenario-shell.ts'
import { requiredVariables, withheldVariables } from '../../blocks/shell/shell-environment.ts'
import type { ScenarioEntry } from '../../host/protocol/protocol.ts'
import type { BlockOutcome } from '../../records/block-outcome.ts'
import type { AfterFailure } from '../../spec/front-matter/front-matter.ts'
import { blocksOf, lineOf, stepsOf, userOf, usersOf, type Block } from '../../spec/spec.ts'
import { isInside } from '../../system/files/paths.ts'
import { removeTemporary } from '../../system/files/remove-files.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { Shell } from '../../system/shell/open-shell.ts'
import type { ScenarioInput, StepLimit } from '../scenario-input.ts'
import type { ScenarioUpdates } from '../scenario-updates.ts'
import { AgentShell } from './agent-shell.ts'

interface HowToRun {
  readonly limit?: StepLimit | undefined
  /** Whether `-u` must not change the expected output, because the step has the directive `fails`. */
  readonly isFixed?: boolean
  readonly row?: string | undefined
  readonly user?: string | undefined
}

interface WorkspaceOptions extends Pick<
  ScenarioInput,
  'spec' | 'scenario' | 'settings' | 'root' | 'env' | 'host' | 'executeModule' | 'isDebugged' | 'onCommand' | 'onBlocks'
> {
  readonly afterFailure: AfterFailure
  readonly hasTeardown: boolean
  readonly redact: Redact
  readonly updates: ScenarioUpdates
  readonly launcher: () => ScenarioEntry['launcher']
}

interface WorkingDirectory {
  readonly path: string
  readonly specDir: string
  readonly root: string
  /** Present for a copy. Resolves when all files are copied; rejects if `copyRoot` fails. */
  readonly filled?: Promise<unknown>
}

const canceledTeardownMs = 10_000

/** The working directory and the shell of a scenario. Both are created when first needed. */
export class Workspace {
  readonly executor: AgentShell
  readonly #options: WorkspaceOptions
  readonly #captures = new Captures()
  readonly #services: BlockServices
  readonly #browser: ScenarioBrowser
  readonly #withheld: ReadonlySet<string>
  readonly #hasOwnBlocks: boolean
  readonly #canceled = new AbortController()
  #phase: 'steps' | 'canceled' | 'teardown' | 'over' = 'steps'
  #interruption = new AbortController()
  #teardownTimer: NodeJS.Timeout | undefined
  #scratch: Promise<string> | undefined
  #copy: Promise<WorkingDirectory> | undefined
  #shell: Shell | undefined
  #tracing: Tracing | undefined
  /** The fork in which recorded blocks run. After any other block, the next recorded block gets a new fork. */
  #repeating: Shell | undefined
  readonly #forks: Shell[] = []
  #closing: Promise<void> | undefined

  constructor(options: WorkspaceOptions) {
    const { spec, scenario, root, env, settings, host, launcher, redact } = options
    const { requires, env: extra } = spec.frontMatter
    const { browser } = settings
    this.#options = options
    this.#services = createBlockServices(redact)
    this.#hasOwnBlocks = blocksOf(scenario).some(({ isRecorded }) => isRecorded !== true)
    this.#withheld = withheldVariables({ env, required: requiredVariables(requires), extra })
    this.#browser = createScenarioBrowser({
      launcher,
      runMark: host.runMark,
      onStart: host.processStarted,
      onEnd: host.processEnded,
      baseUrl: browser.baseUrl,
      open: async () => {
        const users = usersOf(scenario, spec.frontMatter)
        return host.openBrowser({ specFile: spec.file, root, settings: browser, users })
      },
    })
    this.executor = new AgentShell({
      directory: () => this.directory(),
      fork: async () => (await this.#openShell()).shell.fork(),
    })
  }

  async directory(): Promise<string> {
    const { path, filled } = await this.#open()
    await filled
    return path
  }

  async runBlocks(
    blocks: readonly Block[],
    { limit, isFixed, row, user }: HowToRun = {},
  ): Promise<readonly BlockOutcome[]> {
    const [first] = blocks
    if (first === undefined) return this.#services.drainLost()
    const { spec, scenario, executeModule, isDebugged = false, settings, afterFailure, updates } = this.#options
    if (this.#phase === 'teardown') await this.#shell?.recover()
    if (this.#phase === 'steps' && afterFailure === 'continue') {
      await this.#shell?.recover()
      await this.#repeating?.recover()
    }
    this.#browser.user = user ?? userOf(scenario, spec.frontMatter)
    const { shell, cwd } = await this.#openShell()
    this.executor.renew()
    const isOwn = blocks.some(({ isRecorded }) => isRecorded !== true)
    if (isOwn) this.#repeating = undefined
    await this.#options.onBlocks?.(cwd)
    if (this.#phase === 'canceled') this.#stopBlocks()
    const message = await this.#captures.enterRow(row, shell)
    if (message !== undefined && this.#phase === 'steps')
      return [{ role: first.role, ...lineOf(first), status: 'fail', message }]
    const outcomes = await runBlocks(blocks, {
      ...this.#options,
      shell,
      // If all blocks are recorded, no fork is needed. A fork would cost a bash process.
      ...(this.#hasOwnBlocks && { forkForRecorded: () => this.#forkForRecorded() }),
      services: this.#services,
      cwd,
      captures: this.#captures,
      modules: executeModule && { execute: executeModule, isDebugged },
      timeoutMs: settings.blockTimeoutMs,
      limit,
      signal: this.#interruption.signal,
      update: updates.mode === 'off' || isFixed ? undefined : updates,
      withheld: this.#withheld,
      browser: this.#browser,
    })
    if (isOwn) this.#repeating = undefined
    return outcomes
  }

  async tearDown(blocks: readonly Block[]): Promise<readonly BlockOutcome[]> {
    if (this.#phase === 'steps') await this.#services.settle()
    if (this.#phase === 'canceled') this.#limitTeardown()
    this.#phase = 'teardown'
    this.#interruption = new AbortController()
    try {
      const outcomes = [...this.#services.drainLost()]
      this.#services.release()
      // A failed block does not stop the teardown, because a later block may clean up.
      for (const block of blocks) {
        outcomes.push(...(await this.runBlocks([block])))
        if (this.#interruption.signal.aborted) break
      }
      return outcomes
    } finally {
      clearTimeout(this.#teardownTimer)
      this.#phase = 'over'
    }
  }

  /** Ends running commands at once. Later blocks fail, but the teardown still runs. */
  cancel(): void {
    if (this.#phase === 'over') return
    if (this.#phase === 'teardown') return this.#limitTeardown()
    this.#phase = 'canceled'
    this.#canceled.abort()
    this.#stopBlocks()
  }

  close(): Promise<void> {
    return (this.#closing ??= (async () => {
      await this.executor.endForAgent()
      await this.#browser.close()
      await Promise.all(this.#forks.map((fork) => fork.close()))
      await this.#shell?.close()
      const trace = this.#tracing?.read() ?? ''
      if (trace !== '') await this.#options.host.noteTrace(this.#options.spec.file, trace)
      if (this.#scratch) removeTemporary(await this.#scratch)
    })())
  }

  #stopBlocks(): void {
    this.#interruption.abort()
    for (const shell of [this.#shell, ...this.#forks]) void shell?.cancel()
    this.#browser.cancel()
  }

  #limitTeardown(): void {
    this.#teardownTimer ??= setTimeout(() => this.#stopBlocks(), canceledTeardownMs)
  }

  async #openShell(): Promise<{ readonly shell: Shell; readonly cwd: string }> {
    const { spec, scenario, root, env, host, launcher, hasTeardown } = this.#options
    const { path: cwd, filled, ...place } = await this.#open()
    const tempDir = await this.#scratchDir()
    // An agent may read anything at any time, so reads are traced only in scenarios without an agent.
    if (stepsOf(scenario).every(({ actor }) => actor !== 'agent'))
      this.#tracing ??= traceReads(tempDir, { root, copy: place.root === root ? undefined : place.root })
    const shell = (this.#shell ??= openScenarioShell({
      ...place,
      cwd,
      tempDir,
      env,
      required: requiredVariables(spec.frontMatter.requires),
      extra: spec.frontMatter.env,
      runMark: host.runMark,
      launcher: launcher(),
      canRecover: hasTeardown,
      trace: this.#tracing?.options,
      onStart: host.processStarted,
      onEnd: host.processEnded,
    }))
    await Promise.all([filled, shell.start()])
    return { shell, cwd }
  }

  /** Recorded blocks run in a fork, so that their variables do not reach other blocks. */
  async #forkForRecorded(): Promise<Shell | string> {
    if (this.#repeating !== undefined) return this.#repeating
    const fork = await (await this.#openShell()).shell.fork()
    if (typeof fork === 'string') return fork
    this.#forks.push(fork)
    this.#repeating = fork
    return (await fork.define(this.#captures.variables)) ?? fork
  }

  #scratchDir(): Promise<string> {
    return (this.#scratch ??= this.#options.host.makeTempDir())
  }

  async #open(): Promise<WorkingDirectory> {
    const { spec, root } = this.#options
    const { cwd } = spec.frontMatter
    const specDir = dirname(spec.file)
    if (cwd === 'root') return { path: root, specDir, root }
    if (cwd === 'copy') return (this.#copy ??= this.#openCopy())
    if (cwd === 'temp') return { path: await this.#makeWork(), specDir, root }
    const path = resolve(root, cwd)
    const stats = await stat(path).catch(() => undefined)
    if (isInside(path, root) && stats?.isDirectory()) return { path, specDir, root }
    throw new MdtestError('SPEC_CWD', `\`cwd: ${cwd}\` is not a directory inside ${root}.`, {
      hint: 'Use `root`, `temp`, `copy` or an existing directory inside the suite root.',
    })
  }

  async #makeWork(): Promise<string> {
    const path = join(await this.#scratchDir(), 'work')
    mkdirSync(path, { recursive: true })
    return path
  }

  async #openCopy(): Promise<WorkingDirectory> {
    const { spec, root, env } = this.#options
    const { signal } = this.#canceled
    const path = await this.#makeWork()
    const specDir = dirname(placeInCopy(spec.file, root, path) ?? spec.file)
    // Imported late, because most specs need no copy.
    const { copyRoot } = await import('./copy-root.ts')
    // If git ignores the folder of the spec, the copy lacks this folder.
    const filled = copyRoot({ root, target: path, env, signal }).then(() => mkdir(specDir, { recursive: true }))
    // Avoids an unhandled rejection; callers that await `filled` get the error.
    filled.catch(() => undefined)
    return { path, specDir, root: path, filled }
  }
}

export function placeInCopy(file: string, root: string, copy: string): string | undefined {
  return isInside(file, root) ? join(copy, relative(root, file)) : undefined
}
