import { readFileSync, rmSync } from 'node:fs'
import { orNothing } from '../error-facts.ts'
import type { ShellOptions } from './open-shell-result.ts'
import {
  formatCheckpoint,
  formatCleanUp,
  formatDefine,
  formatDefinitions,
  formatSaveTo,
  formatStatement,
  lineMark,
  stateEndMark,
  statusMark,
  type DriverFiles,
  type ShellFiles,
  type Statement,
} from './open-shell-statements.ts'

type StateOptions = Pick<ShellOptions, 'canRecover' | 'stateFile'> & { readonly prefix: string }

export class ShellState {
  readonly #options: StateOptions
  #savedFile: string | undefined
  #checkpoint: { readonly cleanUp: string } | undefined
  #isRecovered = false
  #cleanUp = ''
  #startCount = 0

  constructor(options: StateOptions) {
    this.#options = options
    this.#savedFile = options.stateFile
  }

  begin(): Omit<DriverFiles, 'marks'> {
    this.#startCount += 1
    return { ...this.files, savedFile: this.#savedFile, isStrict: this.#isRecovered }
  }

  get files(): ShellFiles {
    return {
      stateFile: this.#path(`state-${this.#startCount}`),
      statementFile: this.#path('statement'),
      overridesFile: this.#path('overrides'),
      trapFile: this.#path('trap'),
      unstartedFile: this.#path('unstarted'),
      checkpointFile: this.#path('checkpoint'),
    }
  }

  formatNext(statement: Statement, { continues }: { readonly continues: boolean }): string {
    const [now, later] = continues ? ['', this.#cleanUp] : [this.#cleanUp, '']
    const checkpoint = this.#options.canRecover ? formatCheckpoint(this.files.checkpointFile) : ''
    this.#checkpoint = { cleanUp: later }
    this.#cleanUp = formatCleanUp(statement) + later
    return now + checkpoint + formatStatement(statement)
  }

  formatDefine(variables: ReadonlyMap<string, string | undefined>): string {
    if (this.#cleanUp !== '') this.#cleanUp += `${formatDefinitions(variables)} `
    return formatDefine(variables)
  }

  formatSave(file: string): string {
    const cleanUp = this.#cleanUp
    this.#cleanUp = ''
    return cleanUp + formatSaveTo(file)
  }

  restore(): boolean {
    this.#savedFile = this.files.stateFile
    return isSaved(this.#savedFile)
  }

  /** Line at which the code ended the last shell, for example with `exit`. Inside a function: the line of the call. */
  get endLine(): number | undefined {
    const line = new RegExp(`\n${lineMark}(\\d+)\n${stateEndMark}\n$`).exec(readState(this.files.stateFile))?.[1]
    return line === undefined ? undefined : Number(line)
  }

  /** Exit code of the last shell, before a trap of the user could change it. */
  get endStatus(): number {
    return Number(new RegExp(`\n${statusMark}(\\d+)\n`).exec(readState(this.files.stateFile))?.[1] ?? 0)
  }

  recover(): boolean {
    const checkpoint = this.#options.canRecover ? this.#checkpoint : undefined
    if (checkpoint && !isSaved(this.files.checkpointFile)) return false
    this.#savedFile = checkpoint && this.files.checkpointFile
    this.#cleanUp = checkpoint?.cleanUp ?? ''
    this.#isRecovered = true
    return true
  }

  remove(): void {
    for (let n = 1; n < this.#startCount; n += 1) rmSync(this.#path(`state-${n}`), { force: true })
    for (const file of [...Object.values(this.files), this.#options.stateFile])
      if (file !== undefined) rmSync(file, { force: true })
  }

  #path(name: string): string {
    return `${this.#options.prefix}-${name}`
  }
}

export function isSaved(stateFile: string): boolean {
  return readState(stateFile).endsWith(`\n${stateEndMark}\n`)
}

function readState(stateFile: string): string {
  return orNothing(() => readFileSync(stateFile, 'utf8')) ?? ''
}
