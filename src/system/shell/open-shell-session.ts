import { existsSync, rmSync } from 'node:fs'
import { watchedCode } from './watched-code.ts'
import { isSaved, ShellState } from './open-shell-state.ts'
import { formatDriver, noMoreSaves, withUserLines, type Statement } from './open-shell-statements.ts'
import { messageOf } from '../error-facts.ts'
import { type TreeRoot, killTrees } from '../process/trees/kill-trees.ts'
import { withMarks } from '../process/trees/marks.ts'
import type { ShellAnswer, ShellProcess } from './open-shell-process.ts'
import { endOfBash, judgeAnswer, startShellProcess, waitForShell } from './open-shell-process.ts'
import { findOnPath } from '../files/paths.ts'
import { formatDuration } from '../text/wording.ts'
import { collectOutput, type OutputCollector, ShellPipes, type PipePaths } from './open-shell-output.ts'
import type { ShellOptions, ShellResult, ShellRunOptions, ShellStatus } from './open-shell-result.ts'

const limitBytes = 10 * 1024 * 1024
const graceMs = 500
const startTimeoutMs = 10_000
const noOutput = { stdout: '', stderr: '' }

export class ShellSession {
  readonly #options: ShellOptions
  readonly #mark: string
  readonly #pipes: ShellPipes
  readonly #state: ShellState
  readonly #roots: TreeRoot[] = []
  #killing: Promise<unknown> | undefined
  readonly #held: OutputCollector[] = []
  #shell: ShellProcess | undefined
  #lostMessage: string | undefined
  #lastExitCode = 0

  constructor(options: ShellOptions, { mark, prefix }: { readonly mark: string; readonly prefix: string }) {
    this.#options = options
    this.#mark = mark
    this.#pipes = new ShellPipes(prefix)
    this.#state = new ShellState({ ...options, prefix })
  }

  get trees(): { readonly roots: readonly TreeRoot[]; readonly mark: string } {
    return { roots: [...this.#roots], mark: this.#mark }
  }

  async run(code: string, options: ShellRunOptions): Promise<ShellResult> {
    const refusal = findRefusal(code, options)
    if (refusal !== undefined) return { status: 'refused', message: refusal, ...noOutput }
    const started = await this.#ensureStarted()
    if (typeof started === 'string') return { status: 'lost', message: started, ...noOutput }
    const { files } = this.#state
    const executed = await watchedCode(code, files.unstartedFile)
    const [stdoutPath, stderrPath] = started.pipes
    const { streams, cwd, env = {}, continues = false, isStrict = false } = options
    const statement: Statement = {
      code,
      executed,
      stdoutPath,
      stderrPath: streams === 'merged' ? stdoutPath : stderrPath,
      lastExitCode: this.#lastExitCode,
      ...files,
      cwd: continues ? undefined : cwd,
      env: continues ? {} : env,
      isStrict,
    }
    return this.#execute(started.shell, statement, options)
  }

  async start(): Promise<void> {
    await this.#ensureStarted()
  }

  async saveState(file: string): Promise<string | undefined> {
    const started = await this.#ensureStarted()
    if (typeof started === 'string') return started
    await this.#ask(started.shell, this.#state.formatSave(file), (words) => words === 'saved')
    if (this.#shell?.hasEnded() === true) this.#prepareRestore()
    return isSaved(file) ? undefined : (this.#lostMessage ?? 'The state of the shell could not be saved.')
  }

  async define(variables: ReadonlyMap<string, string | undefined>): Promise<string | undefined> {
    const started = await this.#ensureStarted()
    if (typeof started === 'string') return started
    const isLast = (words: string): boolean => words === 'defined' || words.startsWith('undefined')
    const answer = await this.#ask(started.shell, this.#state.formatDefine(variables), isLast)
    if (answer.reports.includes('defined')) return undefined
    const name = answer.reports.find((words) => words.startsWith('undefined '))?.slice('undefined '.length)
    if (name === undefined) return `The shell did not take what was captured: ${endOfBash(answer)}.`
    return `The variable \`${name}\` could not be set to what was captured: it is readonly. Capture it under another name.`
  }

  /** A shell that does not answer in time is ended: it could execute this statement in place of the next one. */
  async #ask(shell: ShellProcess, statement: string, isLast: (words: string) => boolean): Promise<ShellAnswer> {
    shell.send(statement)
    const answer = await waitForShell(shell, { timeoutMs: startTimeoutMs, isLast })
    if (answer.reason !== 'timeout') return answer
    await this.#killAll()
    this.#lose(`The shell was ended, because it did not answer for ${formatDuration(startTimeoutMs)}.`)
    return answer
  }

  async #ensureStarted(): Promise<string | { readonly shell: ShellProcess; readonly pipes: PipePaths }> {
    if (this.#lostMessage === undefined && this.#shell === undefined) await this.#start()
    if (this.#lostMessage === undefined && this.#pipes.paths === undefined) await this.#makePipes()
    if (this.#lostMessage !== undefined) return this.#lostMessage
    const [shell, pipes] = [this.#shell, this.#pipes.paths]
    return shell && pipes ? { shell, pipes } : 'The shell has neither started nor said why not: a bug of mdtest.'
  }

  async cancel(): Promise<void> {
    this.#lose('The run was canceled.')
    await this.#killAll()
  }

  async recover(): Promise<void> {
    if (this.#lostMessage === undefined) return
    await this.#killAll()
    if (!this.#state.recover()) return
    this.#lostMessage = undefined
    this.#pipes.remove()
  }

  async close(): Promise<void> {
    const shell = this.#shell
    this.#lose('The shell was closed.')
    shell?.send(noMoreSaves)
    shell?.finish()
    if (shell !== undefined) await waitForShell(shell, { timeoutMs: graceMs })
    await this.#killAll()
    for (const collector of this.#held.splice(0)) collector.close()
    this.#pipes.remove()
    this.#state.remove()
  }

  async #start(): Promise<void> {
    const { env, cwd, launcher, limit, onSpawn } = this.#options
    const bash = findOnPath('bash', { path: env.PATH ?? '', cwd: '/' })
    if (bash === undefined) return this.#lose(`There is no \`bash\` on PATH (\`${env.PATH ?? ''}\`): install bash.`)
    const marked = withMarks(env, [this.#mark])
    const { MDTEST_MARKS: marks } = marked
    const files = this.#state.begin()
    const driver = formatDriver({ ...files, marks })
    try {
      const shell = await startShellProcess(bash, driver, {
        ...{ launcher, cwd, limit, statementFile: files.statementFile },
        // Start a restored shell without `env`: a variable that the user has unset must stay unset.
        env: files.savedFile === undefined ? marked : { MDTEST_MARKS: marks },
      })
      this.#shell = shell
      this.#roots.push({ pid: shell.pid, startTime: shell.startTime, limit })
      onSpawn?.(shell.pid)
    } catch (error: unknown) {
      this.#loseUnstarted(messageOf(error))
    }
    if (this.#lostMessage !== undefined) await this.#killAll()
  }

  #loseUnstarted(cause: string): void {
    const { cwd } = this.#options
    this.#lose(`The shell could not start: ${existsSync(cwd) ? cause : `there is no directory \`${cwd}\``}.`)
  }

  async #makePipes(): Promise<void> {
    if (this.#shell === undefined) return
    const problem = await this.#pipes.make(this.#shell, startTimeoutMs)
    if (problem === undefined) return
    await this.#killAll()
    this.#loseUnstarted(problem)
  }

  async #execute(shell: ShellProcess, statement: Statement, options: ShellRunOptions): Promise<ShellResult> {
    const { timeoutMs, continues = false, onOutput } = options
    const tooMuch = new AbortController()
    const paths = [...new Set([statement.stdoutPath, statement.stderrPath])]
    const collector = collectOutput(paths, { limitBytes, onTooMuch: (): void => tooMuch.abort(), onOutput })
    rmSync(statement.unstartedFile, { force: true })
    shell.send(this.#state.formatNext(statement, { continues }))
    const answer = await waitForShell(shell, {
      timeoutMs,
      stop: tooMuch.signal,
      isLast: (words) => words === 'end' || words === 'refused' || words.startsWith('done '),
      onReport: (words) => words === 'open' && collector.read(),
    })
    if (answer.reason === 'timeout' || answer.reason === 'stopped') await this.#killAll()
    if (collector.drain()) collector.close()
    else {
      // A background process still writes: keep reading, so that it does not block. The next run gets new pipes.
      this.#held.push(collector)
      this.#pipes.remove()
    }
    // Check the limit after `drain`, because `drain` reads more output.
    const status = tooMuch.signal.aborted ? await this.#stopTooMuch() : this.#settle(answer, statement, options)
    const isPartUnstarted = existsSync(statement.unstartedFile)
    const [stdout = '', stderr = ''] = collector.output().map((text) => withUserLines(text, statement))
    return { ...status, stdout, stderr, ...(isPartUnstarted && { isPartUnstarted }) }
  }

  async #stopTooMuch(): Promise<ShellStatus> {
    await this.#killAll()
    this.#lose(`The shell was ended, because an earlier command wrote more than ${limitBytes} bytes.`)
    return { status: 'too-much-output', limitBytes }
  }

  #settle(answer: ShellAnswer, { executed }: Statement, { timeoutMs, isStrict = false }: ShellRunOptions): ShellStatus {
    const hasEnded = answer.reason !== 'timeout' && this.#shell?.hasEnded() === true
    if (hasEnded) this.#prepareRestore()
    const judged = judgeAnswer(answer, timeoutMs, hasEnded ? this.#state.endLine : undefined)
    const isGreen = hasEnded && isStrict && judged.status === 'done' && judged.exitCode === 0
    const isUnknown = isGreen && this.#lostMessage !== undefined && !/\bexec\b/.test(executed)
    const status = isUnknown
      ? ({ status: 'refused', message: endedUnseenMessage } as const)
      : isGreen
        ? { ...judged, exitCode: this.#state.endStatus }
        : judged
    if (status.status === 'timeout')
      this.#lose(`The shell was ended, because an earlier command took longer than ${timeoutMs} ms.`)
    if (status.status === 'done') this.#lastExitCode = status.exitCode
    if (status.status === 'lost') this.#lose(status.message)
    return status
  }

  #prepareRestore(): void {
    this.#shell?.release()
    this.#shell = undefined
    if (!this.#state.restore()) this.#lose(notSavedMessage)
  }

  #lose(message: string): void {
    this.#lostMessage ??= message
  }

  async #killAll(): Promise<void> {
    const mark = this.#mark
    const roots = this.#roots.splice(0)
    const killed = roots.map((root) => killTrees({ roots: [root], mark, since: root.startTime, graceMs }))
    // Lets `close` wait for processes that `cancel` is killing.
    this.#killing = Promise.all([this.#killing, ...killed])
    await this.#killing
    this.#shell?.release()
    this.#shell = undefined
  }
}

const notSavedMessage =
  'An earlier command replaced or ended the shell (`exec`, an EXIT trap set in a function, a signal), so its variables ' +
  'are gone. Run that command in a subshell: `( … )`.'

const endedUnseenMessage =
  'An EXIT trap that was set in a function or a file ended the shell with 0, whatever came before. Set it in the block itself, or leave `exit` out of it.'

const stopsExecution = /(?:^|[;&|(\n])\s*set\s+(?:-[a-zA-Z]*n[a-zA-Z]*|-o\s+noexec)(?=\s|$|;)/

function findRefusal(code: string, { env }: ShellRunOptions): string | undefined {
  if ([code, ...Object.values(env ?? {})].some((text) => text.includes('\0')))
    return 'A shell command cannot hold a NUL character.'
  if (stopsExecution.test(code))
    return '`set -n` ends all execution in the shell of the scenario: nothing behind it would run. Write `bash -n FILE`.'
  if (/(?:^|[\s;&|({])(?:function\s+builtin\b|builtin\s*\(\s*\))/.test(code))
    return 'A function `builtin` would replace what mdtest itself uses in the shell. Give it another name.'
  const badName = Object.keys(env ?? {}).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  return badName === undefined ? undefined : `\`${badName}\` is not a name for an environment variable.`
}
