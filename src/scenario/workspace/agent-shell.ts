import { readlinkSync } from 'node:fs'
import { whyCutShort } from '../../blocks/shell/shell-end.ts'
import type { AgentExecutor, ExecutorCommand, ExecutorResult } from '../../host/protocol/protocol.ts'
import { holdTree, type TreeHold } from '../../system/process/trees/hold-tree.ts'
import { textOfBytes } from '../../system/text/byte-text.ts'
import { quoteForBash } from '../../system/text/shell-and-regex-quotes.ts'
import { withResolvers, type PromiseWithResolvers } from '../../system/slots-and-timers.ts'
import type { ShellFork } from '../../system/shell/open-shell.ts'
import { orNothing } from '../../system/error-facts.ts'

interface AgentShellOptions {
  /** Forks the shell of the blocks, with its variables and functions. Returns an error message if that fails. */
  fork(): Promise<ShellFork | string>
  directory(): Promise<string>
}

const startLimitMs = 10_000
const over = 'The scenario is over.'
const stopped = 'It was ended, as you asked.'
const maxOutputBytes = 10 * 1024 * 1024

/** Runs an agent's commands in forks of the blocks' shell. Variables of the agent never reach a block. */
export class AgentShell implements AgentExecutor {
  readonly #options: AgentShellOptions
  readonly #forks = new Map<ShellFork, Map<number, TreeHold>>()
  /** Forks that had no process left when the agent was last paused. They end when the next fork starts. */
  readonly #idle = new Set<ShellFork>()
  #current: ShellFork | undefined
  #running: ShellFork | undefined
  #directory: string | undefined
  #chunks: Buffer[] = []
  /** Present while the agent is paused. Resolved when the agent may go on. */
  #held: PromiseWithResolvers<void> | undefined
  #isOver = false
  #isStopped = false

  constructor(options: AgentShellOptions) {
    this.#options = options
  }

  /** The next command gets a new fork. Background processes in the old fork keep running. */
  renew(): void {
    this.#current = undefined
  }

  async runForAgent(command: ExecutorCommand): Promise<ExecutorResult> {
    const startMs = performance.now()
    this.#chunks = []
    this.#isStopped = false
    const shell = this.#isOver ? over : await this.#start(command.scratchDir)
    while (this.#held) await this.#held.promise
    const ended = typeof shell === 'string' ? untried(shell) : await this.#execute(shell, command)
    const directory = await this.#whereIs(typeof shell === 'string' ? undefined : shell)
    const durationMs = performance.now() - startMs
    return { ...ended, output: await this.outputForAgent(), durationMs, directory }
  }

  async outputForAgent(): Promise<string> {
    return textOfBytes(Buffer.concat(this.#chunks))
  }

  async stopForAgent(): Promise<void> {
    this.#isStopped = true
    await this.#running?.cancel()
  }

  async holdForAgent(): Promise<readonly string[]> {
    if (this.#isOver) return []
    this.#held ??= withResolvers()
    const left = await Promise.all(
      [...this.#forks].map(async ([fork, holds]) => {
        const { roots, mark } = fork.trees
        for (const root of roots) if (!holds.has(root.pid)) holds.set(root.pid, holdTree({ root, mark, isShell: true }))
        const lines = (await Promise.all([...holds.values()].map((hold) => hold.stop()))).flat()
        if (lines.length === 0 && fork !== this.#running) this.#idle.add(fork)
        return lines
      }),
    )
    return left.flat()
  }

  async releaseForAgent(): Promise<void> {
    for (const holds of this.#forks.values()) for (const hold of holds.values()) hold.resume()
    this.#held?.resolve()
    this.#held = undefined
  }

  async endForAgent(): Promise<void> {
    this.#isOver = true
    await this.releaseForAgent()
    await Promise.all([...this.#forks.keys()].map((fork) => this.#end(fork)))
  }

  async #end(fork: ShellFork): Promise<void> {
    for (const hold of this.#forks.get(fork)?.values() ?? []) hold.close()
    this.#forks.delete(fork)
    this.#idle.delete(fork)
    await fork.cancel()
    await fork.close()
  }

  async #start(scratchDir: string): Promise<ShellFork | string> {
    if (this.#current !== undefined) return this.#current
    this.#directory ??= await this.#options.directory()
    const forked = await this.#options.fork()
    if (typeof forked === 'string') return forked
    this.#forks.set(forked, new Map())
    if (this.#isOver) {
      await this.#end(forked)
      return over
    }
    await Promise.all([...this.#idle].map((fork) => this.#end(fork)))
    // `TMPDIR` is set as well, so that files of `mktemp` count as the agent's own.
    const own = `MDTEST_SCRATCH=${quoteForBash(scratchDir)} TMPDIR=${quoteForBash(scratchDir)}`
    const setUp = `\\builtin cd -- ${quoteForBash(this.#directory)} && \\builtin export ${own}`
    const result = await forked.run(setUp, { timeoutMs: startLimitMs, streams: 'merged' })
    if (result.status !== 'done') return whyCutShort(result, 'It')
    if (result.exitCode !== 0) {
      const gone = this.#directory
      this.#directory = undefined
      await this.#end(forked)
      return `There is no directory \`${gone}\` any more. The next command begins in that of the test.`
    }
    this.#current = forked
    return forked
  }

  async #execute(shell: ShellFork, { code, timeoutMs }: ExecutorCommand): Promise<Ended> {
    let bytes = 0
    if (this.#isOver) return untried(over)
    if (this.#isStopped) return untried(stopped)
    this.#idle.delete(shell)
    const onOutput = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes <= maxOutputBytes) this.#chunks.push(chunk)
      else void shell.cancel()
    }
    this.#running = shell
    const result = await shell.run(code, { timeoutMs, streams: 'merged', onOutput })
    this.#running = undefined
    if (result.status === 'done' && bytes <= maxOutputBytes) return { exitCode: result.exitCode }
    if (result.status === 'refused') return untried(result.message)
    // The variables of this fork are lost, so the next command gets a new fork. Background processes keep running.
    this.#current = undefined
    if (this.#isStopped) return { exitCode: undefined, problem: stopped }
    const tooMuch = { ...result, status: 'too-much-output', limitBytes: maxOutputBytes } as const
    return {
      exitCode: undefined,
      problem: whyCutShort(result.status === 'done' || bytes > maxOutputBytes ? tooMuch : result, 'It'),
    }
  }

  async #whereIs(shell: ShellFork | undefined): Promise<string> {
    const at = shell && this.#current === shell ? await directoryOf(shell) : undefined
    this.#directory = at ?? this.#directory ?? (await this.#options.directory())
    return this.#directory
  }
}

async function directoryOf(shell: ShellFork): Promise<string | undefined> {
  const known = orNothing(() => readlinkSync(`/proc/${shell.trees.roots.at(-1)?.pid}/cwd`))
  if (known !== undefined) return known
  const result = await shell.run('\\builtin pwd -P', { timeoutMs: startLimitMs, streams: 'merged' })
  return result.status === 'done' && result.exitCode === 0 ? result.stdout.replace(/\n$/, '') : undefined
}

type Ended = Pick<ExecutorResult, 'exitCode' | 'problem' | 'isUntried'>

function untried(problem: string): Ended {
  return { exitCode: undefined, problem, isUntried: true }
}
