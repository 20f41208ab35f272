import { readFileSync, rmSync } from 'node:fs'
import {
  formatCheckpoint,
  formatCleanUp,
  formatStatement,
  stateEndMark,
  type DriverFiles,
  type Statement,
} from './open-shell-statements.ts'

interface StateOptions {
  /** Start of the paths of all its files. */
  readonly prefix: string
  /** Whether the state before each run is kept as well. */
  readonly canRecover: boolean
}

/** What one bash leaves to the next, in files that bash itself writes. */
export class ShellState {
  readonly #options: StateOptions
  /** Where the running shell saves its state, a new file for each. */
  #stateFile = ''
  /** The state that the next shell goes on with. */
  #savedFile: string | undefined
  /** What has to be undone in the state before the last run; `undefined` before the first. */
  #checkpoint: { readonly cleanUp: string } | undefined
  #isRecovered = false
  #cleanUp = ''
  #startCount = 0

  constructor(options: StateOptions) {
    this.#options = options
  }

  /** Another bash is started: what it goes on with, and where it saves its own state. */
  begin(): DriverFiles {
    this.#startCount += 1
    this.#stateFile = this.#path(`state-${this.#startCount}`)
    return { stateFile: this.#stateFile, savedFile: this.#savedFile, isStrict: this.#isRecovered }
  }

  /** The files that a statement needs. */
  get files(): Pick<Statement, 'stateFile' | 'overridesFile' | 'trapFile'> {
    return { stateFile: this.#stateFile, overridesFile: this.#path('overrides'), trapFile: this.#path('trap') }
  }

  /**
   * What bash is sent to run a statement: undoes what was set around the one before, unless this one continues it,
   * and saves the state.
   */
  formatNext(statement: Statement, { continues }: { readonly continues: boolean }): string {
    const [now, later] = continues ? ['', this.#cleanUp] : [this.#cleanUp, '']
    const checkpoint = this.#options.canRecover ? formatCheckpoint(this.#checkpointFile) : ''
    this.#checkpoint = { cleanUp: later }
    this.#cleanUp = formatCleanUp(statement) + later
    return now + checkpoint + formatStatement(statement)
  }

  /** The shell has ended: the next one goes on with what it saved. False where it did not save it. */
  restore(): boolean {
    this.#savedFile = this.#stateFile
    return isSaved(this.#savedFile)
  }

  /** The next shell goes on with the state before the last run. False where that was not saved. */
  recover(): boolean {
    if (this.#checkpoint !== undefined && !isSaved(this.#checkpointFile)) return false
    this.#savedFile = this.#checkpoint && this.#checkpointFile
    this.#cleanUp = this.#checkpoint?.cleanUp ?? ''
    this.#isRecovered = true
    return true
  }

  /** Removes all files. */
  remove(): void {
    for (let n = 1; n <= this.#startCount; n += 1) rmSync(this.#path(`state-${n}`), { force: true })
    for (const name of ['trap', 'overrides', 'checkpoint']) rmSync(this.#path(name), { force: true })
  }

  get #checkpointFile(): string {
    return this.#path('checkpoint')
  }

  #path(name: string): string {
    return `${this.#options.prefix}-${name}`
  }
}

function isSaved(stateFile: string): boolean {
  try {
    return readFileSync(stateFile, 'utf8').endsWith(`\n${stateEndMark}\n`)
  } catch {
    // Not written at all.
    return false
  }
}
