import { rmdirSync } from 'node:fs'
import { openScenarioShell } from '../../blocks/shell/open-scenario-shell.ts'
import { createScenarioBrowser } from '../../blocks/browser/scenario-browser.ts'
import { createBlockServices } from '../../blocks/service/block-services.ts'
import { Captures } from '../../blocks/captures.ts'
import { type BlockContext, runBlocks } from '../../blocks/run-blocks.ts'
import type { ModuleRunner } from '../../blocks/module/run-module.ts'
import { requiredVariables, withheldVariables } from '../../blocks/shell/shell-environment.ts'
import type { HostClient } from '../../host/server/connect-host.ts'
import type { SpecSettings } from '../../plan/options/spec-settings.ts'
import type { AgentExecutor, ScenarioEntry } from '../../host/protocol/protocol.ts'
import type { BlockOutcome } from '../../records/block-outcome.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { AfterFailure } from '../../spec/front-matter/front-matter.ts'
import type { Shell } from '../../system/shell/open-shell.ts'
import { lineOf, type Block, type Spec } from '../../spec/spec.ts'
import type { ScenarioUpdates } from '../scenario-updates.ts'
import type { StepLimit } from '../scenario-input.ts'
import { AgentShell } from './agent-shell.ts'
import { openWorkingDirectory, type WorkingDirectory } from './working-directory.ts'
import { removeTemporary } from '../../system/files/write-file.ts'

interface HowToRun {
  readonly limit?: StepLimit | undefined
  /** Their expected output is not rewritten: it is expected to differ. */
  readonly isFixed?: boolean
  readonly row?: string | undefined
}

/** The working directory and the one shell of a scenario. Both are made when first needed. */
export interface Workspace {
  directory(): Promise<string>
  runBlocks(blocks: readonly Block[], how?: HowToRun): Promise<readonly BlockOutcome[]>
  /**
   * Runs the blocks of a tear-down. Where the shell was lost they get a new one with the state before that, and after
   * `cancel` 10 s for all of them.
   */
  tearDown(blocks: readonly Block[]): Promise<readonly BlockOutcome[]>
  readonly executor: AgentExecutor
  /** Ends what runs in the shell at once; later blocks fail, but for those of the tear-down. */
  cancel(): void
  close(): Promise<void>
}

interface WorkspaceOptions {
  readonly spec: Spec
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly blockTimeoutMs: number
  readonly afterFailure: AfterFailure
  readonly hasTeardown: boolean
  readonly redact: Redact
  readonly updates: ScenarioUpdates
  readonly host: HostClient
  readonly settings: Pick<SpecSettings, 'browser'>
  readonly launcher: () => ScenarioEntry['launcher']
  readonly executeModule?: ModuleRunner | undefined
  readonly isDebugged?: boolean | undefined
  readonly onCommand?: BlockContext['onCommand']
  readonly onBlocks?: ((directory: string) => Promise<void>) | undefined
}

/** Time for a tear-down after the run was canceled, in milliseconds. */
const canceledTeardownMs = 10_000

export function createWorkspace(options: WorkspaceOptions): Workspace {
  let scratch: Promise<string> | undefined
  let shell: Shell | undefined
  let repeating: Shell | undefined
  const forks: Shell[] = []
  let phase: 'steps' | 'canceled' | 'teardown' | 'over' = 'steps'
  let teardownTimer: NodeJS.Timeout | undefined
  let interruption = new AbortController()
  const stopBlocks = (): void => {
    interruption.abort()
    for (const each of [shell, ...forks]) void each?.cancel()
    browser.cancel()
  }
  const limitTeardown = (): void => {
    teardownTimer ??= setTimeout(stopBlocks, canceledTeardownMs)
  }
  const scratchDir = (): Promise<string> => (scratch ??= options.host.makeTempDir())
  const canceled = new AbortController()
  const captures = new Captures()
  const services = createBlockServices(options.redact)
  const browser = createScenarioBrowser(browserOptions(options))
  const { requires, env: extra } = options.spec.frontMatter
  const withheld = withheldVariables({ env: options.env, required: requiredVariables(requires), extra })
  let closing: Promise<void> | undefined
  let copy: Promise<WorkingDirectory> | undefined
  // A copy is made once; any other place may have been removed since it was last asked for.
  const open = (): Promise<WorkingDirectory> => {
    const place = copy ?? openWorkingDirectory({ ...options, scratchDir, signal: canceled.signal })
    if (options.spec.frontMatter.cwd === 'copy') copy = place
    return place
  }
  const directory = async (): Promise<string> => {
    const { path, filled } = await open()
    await filled
    return path
  }
  const openBlockShell = async (): Promise<{ readonly shell: Shell; readonly cwd: string }> => {
    const { path: cwd, filled, ...place } = await open()
    shell ??= openScenarioShell({ ...shellOptions(options), cwd, ...place, tempDir: await scratchDir() })
    await Promise.all([filled, shell.start()])
    return { shell, cwd }
  }
  const executor = new AgentShell({ directory, fork: async () => (await openBlockShell()).shell.fork() })
  /** Recorded blocks run in a fork, as the commands of the agent did: nothing that they set reaches other blocks. */
  const forkForRecorded = async (): Promise<Shell | string> => {
    if (repeating !== undefined) return repeating
    const fork = await (await openBlockShell()).shell.fork()
    if (typeof fork === 'string') return fork
    forks.push(fork)
    repeating = fork
    return (await fork.define(captures.variables)) ?? fork
  }
  const endedService = (): readonly BlockOutcome[] => {
    const ended = services.drainLost()
    return ended ? [ended] : []
  }
  const run = async (
    blocks: readonly Block[],
    { limit, isFixed, row }: HowToRun = {},
  ): Promise<readonly BlockOutcome[]> => {
    if (blocks.length === 0) return endedService()
    if (phase === 'steps' && options.afterFailure === 'continue') {
      await shell?.recover()
      await repeating?.recover()
    }
    const { shell: opened, cwd } = await openBlockShell()
    executor.renew()
    const isOwn = blocks.some(({ isRecorded }) => isRecorded !== true)
    if (isOwn) repeating = undefined
    await options.onBlocks?.(cwd)
    if (phase === 'canceled') stopBlocks()
    const { executeModule, isDebugged = false, blockTimeoutMs: timeoutMs, afterFailure, redact, updates } = options
    const modules = executeModule && { execute: executeModule, isDebugged }
    const update = updates.mode === 'off' || isFixed ? undefined : updates
    const { signal } = interruption
    const problem = await captures.enterRow(row, opened)
    if (problem !== undefined && phase === 'steps') return blocks.slice(0, 1).map((block) => notRun(block, problem))
    const context = {
      shell: opened,
      forkForRecorded,
      services,
      cwd,
      captures,
      modules,
      timeoutMs,
      afterFailure,
      limit,
      redact,
      signal,
      update,
      withheld,
      browser,
    }
    const outcomes = await runBlocks(blocks, { ...context, onCommand: options.onCommand })
    if (isOwn) repeating = undefined
    return outcomes
  }
  return {
    directory,
    executor,
    runBlocks: run,
    async tearDown(blocks) {
      if (phase === 'canceled') limitTeardown()
      phase = 'teardown'
      interruption = new AbortController()
      try {
        const outcomes = [...endedService()]
        services.release()
        // Each is tried: what one leaves behind, the next may remove.
        for (const block of blocks) {
          await shell?.recover()
          outcomes.push(...(await run([block])))
          if (interruption.signal.aborted) break
        }
        return outcomes
      } finally {
        clearTimeout(teardownTimer)
        phase = 'over'
      }
    },
    cancel() {
      if (phase === 'over') return
      if (phase === 'teardown') return limitTeardown()
      phase = 'canceled'
      canceled.abort()
      stopBlocks()
    },
    close: () =>
      (closing ??= (async () => {
        await executor.endForAgent()
        await browser.close()
        await Promise.all(forks.map((fork) => fork.close()))
        await shell?.close()
        if (scratch) removeFolder(await scratch)
      })()),
  }
}

function notRun(block: Block, message: string): BlockOutcome {
  return { role: block.role, ...lineOf(block), status: 'fail', message }
}

/** It is the host's, too, like the shell. */
function browserOptions({
  spec,
  root,
  settings,
  host,
  launcher,
}: WorkspaceOptions): Parameters<typeof createScenarioBrowser>[0] {
  return {
    open: () => host.openBrowser({ specFile: spec.file, root, settings: settings.browser }),
    launcher,
    runMark: host.runMark,
    baseUrl: settings.browser.baseUrl,
    onStart: host.processStarted,
    onEnd: host.processEnded,
  }
}

/** The shell is the host's, too: it ends what a killed worker leaves behind. */
function shellOptions({
  spec,
  env,
  host,
  launcher,
  hasTeardown,
}: WorkspaceOptions): Omit<Parameters<typeof openScenarioShell>[0], 'cwd' | 'specDir' | 'root' | 'tempDir'> {
  return {
    env,
    requires: spec.frontMatter.requires,
    extraEnv: spec.frontMatter.env,
    runMark: host.runMark,
    launcher: launcher(),
    canRecover: hasTeardown,
    onStart: host.processStarted,
    onEnd: host.processEnded,
  }
}

/** Mostly it is empty: that is one call. */
function removeFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Something is left in it.
    removeTemporary(folder)
  }
}
