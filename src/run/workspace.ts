import { mkdirSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { openScenarioShell } from '../blocks/open-scenario-shell.ts'
import { runBlock } from '../blocks/run-block.ts'
import type { HostClient } from '../host/connect-host.ts'
import { MdtestError } from '../shared/mdtest-error.ts'
import type { BlockOutcome } from '../shared/block-outcome.ts'
import type { Block, Spec } from '../spec/spec.ts'

/** The working directory and the one shell of a scenario. Both are made when first needed. */
export interface Workspace {
  /** Absolute path in which blocks and agent work. */
  directory(): Promise<string>
  /** Runs blocks in order up to the first that does not pass. */
  runBlocks(blocks: readonly Block[]): Promise<readonly BlockOutcome[]>
  /**
   * Runs the blocks of a tear-down. Where the shell was lost they get a new one with the state before that, and after
   * `cancel` 10 s for all of them.
   */
  tearDown(blocks: readonly Block[]): Promise<readonly BlockOutcome[]>
  /** Ends what runs in the shell at once; later blocks fail, but for those of the tear-down. */
  cancel(): void
  /** Ends the shell with all it started and removes what is temporary. */
  close(): Promise<void>
}

interface WorkspaceOptions {
  readonly spec: Spec
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly blockTimeoutMs: number
  readonly hasTeardown: boolean
  readonly host: HostClient
}

/** Time for a tear-down after the run was canceled, in milliseconds. */
const canceledTeardownMs = 10_000

export function createWorkspace(options: WorkspaceOptions): Workspace {
  let scratch: Promise<string> | undefined
  let shell: ReturnType<typeof openScenarioShell> | undefined
  let phase: 'steps' | 'canceled' | 'teardown' | 'over' = 'steps'
  let teardownTimer: NodeJS.Timeout | undefined
  const limitTeardown = (): void => {
    teardownTimer ??= setTimeout(() => void shell?.cancel(), canceledTeardownMs)
  }
  const scratchDir = (): Promise<string> => (scratch ??= options.host.makeTempDir())
  const directory = async (): Promise<string> => workingDirectory(options, scratchDir)
  const runBlocks = async (blocks: readonly Block[]): Promise<readonly BlockOutcome[]> => {
    if (blocks.length === 0) return []
    shell ??= openScenarioShell({ ...shellOptions(options), cwd: await directory(), tempDir: await scratchDir() })
    if (phase === 'canceled') void shell.cancel()
    const context = { shell, cwd: await directory(), timeoutMs: options.blockTimeoutMs }
    const outcomes: BlockOutcome[] = []
    for (const block of blocks) {
      const outcome = await runBlock(block, context)
      outcomes.push(outcome)
      if (outcome.status !== 'pass') break
    }
    return outcomes
  }
  return {
    directory,
    runBlocks,
    async tearDown(blocks) {
      if (phase === 'canceled') limitTeardown()
      phase = 'teardown'
      try {
        await shell?.recover()
        return await runBlocks(blocks)
      } finally {
        clearTimeout(teardownTimer)
        phase = 'over'
      }
    },
    cancel() {
      if (phase === 'over') return
      if (phase === 'teardown') return limitTeardown()
      phase = 'canceled'
      void shell?.cancel()
    },
    async close() {
      await shell?.close()
      if (scratch) await rm(await scratch, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

async function workingDirectory({ spec, root }: WorkspaceOptions, scratchDir: () => Promise<string>): Promise<string> {
  const { cwd } = spec.frontMatter
  if (cwd === 'root') return root
  if (cwd === 'temp') {
    const directory = join(await scratchDir(), 'work')
    mkdirSync(directory, { recursive: true })
    return directory
  }
  const directory = resolve(root, cwd)
  const fromRoot = relative(root, directory)
  const stats = await stat(directory).catch(() => undefined)
  if (fromRoot.split(sep)[0] === '..' || !stats?.isDirectory()) {
    throw new MdtestError('SPEC_CWD', `\`cwd: ${cwd}\` is not a directory inside ${root}.`, {
      hint: 'Use `root`, `temp` or an existing directory inside the suite root.',
    })
  }
  return directory
}

/** The shell is the host's, too: it ends what a killed worker leaves behind. */
function shellOptions({
  spec,
  env,
  host,
  hasTeardown,
}: WorkspaceOptions): Omit<Parameters<typeof openScenarioShell>[0], 'cwd' | 'tempDir'> {
  return {
    specFile: spec.file,
    env,
    extraEnv: spec.frontMatter.env,
    runMark: host.runMark,
    canRecover: hasTeardown,
    onStart: host.processStarted,
    onEnd: host.processEnded,
  }
}
