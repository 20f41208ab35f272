import { rmSync } from 'node:fs'
import type { ShellProcess } from './open-shell-process.ts'
import { formatMakePipes } from './open-shell-statements.ts'
import { describeEnd, waitForShell } from './open-shell-wait.ts'

/** Paths for standard output and standard error. */
export type PipePaths = readonly [string, string]

/** The named pipes for the output of the next command. Made by bash, because Node cannot. */
export class ShellPipes {
  readonly #prefix: string
  #paths: PipePaths | undefined
  #count = 0

  /** @param prefix start of their paths */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** Absent until somebody asks for them, and once they are removed. */
  get paths(): PipePaths | undefined {
    return this.#paths
  }

  /**
   * Says why they could not be made.
   * @param timeoutMs how long bash may take, in milliseconds
   */
  async make(shell: ShellProcess, timeoutMs: number): Promise<string | undefined> {
    const prefix = `${this.#prefix}-${(this.#count += 1)}`
    const paths = [`${prefix}-out`, `${prefix}-err`] as const
    // Known from now on, also where it fails: what makes them may outlive bash by a moment.
    this.#paths = paths
    shell.send(formatMakePipes(paths))
    const answer = await waitForShell(shell, { timeoutMs, isLast: isPipesReport })
    return answer.reports.includes('pipes') ? undefined : (answer.end?.error ?? describeEnd(answer))
  }

  remove(): void {
    for (const path of this.#paths ?? []) rmSync(path, { force: true })
    this.#paths = undefined
  }
}

function isPipesReport(words: string): boolean {
  return words === 'pipes' || words === 'no-pipes'
}
