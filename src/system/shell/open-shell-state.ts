import { readFileSync, rmSync } from 'node:fs'
import {
  formatCheckpoint,
  formatCleanUp,
  formatDefine,
  formatDefinitions,
  formatSaveTo,
  formatStatement,
  lineMark,
  stateEndMark,
  type DriverFiles,
  type Statement,
} from './open-shell-statements.ts'
import { formatStrictHead } from './open-shell-strict.ts'

interface StateOptions {
  /** Start of the paths of all its files. */
  readonly prefix: string
  /** Whether the state before each run is kept as well. */
  readonly canRecover: boolean
  /** The state that the first shell goes on with. */
  readonly stateFile: string | undefined
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
    this.#savedFile = options.stateFile
  }

  /** Another bash is started: what it goes on with, and where it saves its own state. */
  begin(): Omit<DriverFiles, 'marks'> {
    this.#startCount += 1
    this.#stateFile = this.#path(`state-${this.#startCount}`)
    const { trapFile } = this.files
    return { stateFile: this.#stateFile, savedFile: this.#savedFile, isStrict: this.#isRecovered, trapFile }
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
    const head = statement.isStrict ? formatStrictHead(statement) : ''
    return head + now + checkpoint + formatStatement(statement)
  }

  /** What bash is sent to set variables. They outlast what is undone before the next statement. */
  formatDefine(variables: ReadonlyMap<string, string | undefined>): string {
    if (this.#cleanUp !== '') this.#cleanUp += `${formatDefinitions(variables)} `
    return formatDefine(variables)
  }

  /** What bash is sent to save the state as it is now for another shell. */
  formatSave(file: string): string {
    const cleanUp = this.#cleanUp
    this.#cleanUp = ''
    return cleanUp + formatSaveTo(file)
  }

  /** The shell has ended: the next one goes on with what it saved. False where it did not save it. */
  restore(): boolean {
    this.#savedFile = this.#stateFile
    return isSaved(this.#savedFile)
  }

  /** Line of the code at which the last shell has ended in a function, that of its call. */
  get endLine(): number | undefined {
    const line = new RegExp(`\n${lineMark}(\\d+)\n${stateEndMark}\n$`).exec(readState(this.#stateFile))?.[1]
    return line === undefined ? undefined : Number(line)
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
    if (this.#options.stateFile !== undefined) rmSync(this.#options.stateFile, { force: true })
  }

  get #checkpointFile(): string {
    return this.#path('checkpoint')
  }

  #path(name: string): string {
    return `${this.#options.prefix}-${name}`
  }
}

/** Whether a state was written to its end. */
export function isSaved(stateFile: string): boolean {
  return readState(stateFile).endsWith(`\n${stateEndMark}\n`)
}

function readState(stateFile: string): string {
  try {
    return readFileSync(stateFile, 'utf8')
  } catch {
    // Not written at all.
    return ''
  }
}
