import { basename, dirname, resolve } from 'node:path'
import type { ToolCall } from '../../agents/agent.ts'
import { isInside } from '../../system/files/is-inside.ts'
import { readShell } from '../../system/text/read-shell.ts'
import { recordingFileOf } from '../../spec/recording/recording.ts'
import { ownTools } from '../../agents/report-access.ts'

/** A tool call, as far as it is known when it begins. */
export type SeenCall = Pick<ToolCall, 'kind' | 'tool' | 'use' | 'title' | 'files' | 'input'>

/** Where spec and log are. All paths are absolute. */
export interface SpecPaths {
  readonly cwd: string
  readonly specFile: string
  /** The same spec in the copy of the root that the agent works in. */
  readonly specCopy?: string | undefined
  /**
   * Files that the spec includes, and their places in the copy.
   * @default []
   */
  readonly includedFiles?: readonly string[]
  /** The result log; nothing that is written to its folder tries anything out. */
  readonly logFile: string
}

/** Files that a call writes, as far as it names them. */
export function writtenBy({ use, files }: SeenCall): readonly string[] {
  return use === 'edit' ? files : []
}

/** Whether a call may have used the product: it does more than report, read the spec, write the log or print words. */
export function isProductActivity(call: SeenCall, surroundings: SpecPaths): boolean {
  const { kind, tool, use, title, files } = call
  if (tool.startsWith(ownTools) || use === 'housekeeping') return false
  if (kind === 'command') return !touchesOnlySpecOrLog(title, surroundings) && !isIdle(title)
  // A call on files that names none did nothing that we can see, unless it searched.
  if (files.length === 0) return kind !== 'file' || use === 'search' || use === 'list'
  return !files.every((file) => isSpecOrLog(resolve(surroundings.cwd, file), surroundings))
}

function isSpecOrLog(file: string, { specFile, specCopy, includedFiles = [], logFile }: SpecPaths): boolean {
  const specs = [specFile, ...(specCopy === undefined ? [] : [specCopy])]
  return [...specs, ...specs.map(recordingFileOf), ...includedFiles].includes(file) || isInside(file, dirname(logFile))
}

/** Whether a call looks at files that the agent saved as evidence: their text may be quoted. */
export function isOfEvidence({ kind, title, files }: SeenCall, { cwd, specFile, logFile }: SpecPaths): boolean {
  const folder = logFile.replace(/\.log\.md$/, '')
  if (kind === 'file') return files.length > 0 && files.every((file) => isInside(resolve(cwd, file), folder))
  if (kind !== 'command') return false
  const words = readShell(title).flatMap((command) => command.words)
  const isNamed = (name: string): boolean => words.some((word) => word.split('/').includes(name))
  return isNamed(basename(folder)) && !isNamed(basename(specFile)) && !isNamed(basename(logFile))
}

/** Whether a call only looks at files. It may print the spec under another name. */
export function isReading({ kind, title }: SeenCall): boolean {
  if (kind !== 'command') return kind === 'file'
  return programsIn(title).every((program) => fileCommands.has(program))
}

/** Programs that only show or write files. */
const fileCommands: ReadonlySet<string> = new Set(
  'cat head tail sed nl less more bat wc ls cd pwd echo printf tee mkdir touch stat file test [ true grep rg'.split(
    ' ',
  ),
)

/** Whether a command names spec or log, and only shows and writes files. */
function touchesOnlySpecOrLog(command: string, { specFile, includedFiles = [], logFile }: SpecPaths): boolean {
  const names = [specFile, recordingFileOf(specFile), ...includedFiles, logFile, dirname(logFile)].map((file) =>
    basename(file),
  )
  return (
    names.some((name) => command.includes(name)) && programsIn(command).every((program) => fileCommands.has(program))
  )
}

/** Programs that give back their own arguments, or nothing. */
const echoCommands: ReadonlySet<string> = new Set('echo printf true : sleep cd pwd'.split(' '))

/** Whether a command only prints words of the agent: no variable, no file, no other program. */
function isIdle(command: string): boolean {
  return !/[$`<>]/.test(withoutQuoted(command)) && programsIn(command).every((program) => echoCommands.has(program))
}

/** Text in quotes is no command, unless the shell replaces something in it. */
function withoutQuoted(command: string): string {
  return command.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g, (quoted) =>
    quoted.startsWith('"') && /[$`]/.test(quoted) ? quoted : "''",
  )
}

/** Names of the programs of a command line. The text of a here-document is no command. */
function programsIn(command: string): readonly string[] {
  const code = withoutQuoted(withoutHereDocuments(command))
  return code.split(/&&|\|\||[;|&\n]/).flatMap((part) => {
    const word = /^\s*(?:[A-Za-z_]\w*=\S*\s+)*([^\s<>]+)/.exec(part)?.[1]
    return word === undefined ? [] : [basename(word)]
  })
}

function withoutHereDocuments(command: string): string {
  return command.replace(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n\s*\2[ \t]*(?=\n|$)|$)/g, '$3')
}
