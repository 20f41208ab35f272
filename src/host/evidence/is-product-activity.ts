import { basename, dirname, resolve } from 'node:path'
import type { ToolCall } from '../../agents/agent.ts'
import { isInside } from '../../system/files/is-inside.ts'
import { readShell } from './read-shell.ts'
import { ownTools } from '../../agents/report-access.ts'

/** A tool call, as far as it is known when it begins. */
export type SeenCall = Pick<ToolCall, 'kind' | 'tool' | 'use' | 'title' | 'files' | 'input'>

/** What a tool call is held against. All paths are absolute. */
export interface Surroundings {
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

/** Whether a call may have tried the product: it is not for mdtest, for reading the spec, for writing the log, or idle. */
export function isProductActivity(call: SeenCall, surroundings: Surroundings): boolean {
  const { kind, tool, use, title, files } = call
  if (tool.startsWith(ownTools) || use === 'housekeeping') return false
  if (kind === 'command') return !isPaperwork(title, surroundings) && !isIdle(title)
  // Any file call but a search that names no file did nothing that can be known.
  if (files.length === 0) return kind !== 'file' || use === 'search' || use === 'list'
  return !files.every((file) => isPaper(resolve(surroundings.cwd, file), surroundings))
}

function isPaper(file: string, { specFile, specCopy, includedFiles = [], logFile }: Surroundings): boolean {
  return [specFile, specCopy, ...includedFiles].includes(file) || isInside(file, dirname(logFile))
}

/** Whether a call that is no activity looks at what the agent has saved as evidence: that may be quoted. */
export function isOfEvidence({ kind, title, files }: SeenCall, { cwd, specFile, logFile }: Surroundings): boolean {
  const folder = logFile.replace(/\.log\.md$/, '')
  if (kind === 'file') return files.length > 0 && files.every((file) => isInside(resolve(cwd, file), folder))
  if (kind !== 'command') return false
  const words = readShell(title).flatMap((command) => command.words)
  const isNamed = (name: string): boolean => words.some((word) => word.split('/').includes(name))
  return isNamed(basename(folder)) && !isNamed(basename(specFile)) && !isNamed(basename(logFile))
}

/** Whether a call does nothing but look at files; what it gives may be the text of the spec under another name. */
export function isReading({ kind, title }: SeenCall): boolean {
  if (kind !== 'command') return kind === 'file'
  return programsIn(title).every((program) => clerks.has(program))
}

/** Programs that show or write files and try nothing. */
const clerks: ReadonlySet<string> = new Set(
  'cat head tail sed nl less more bat wc ls cd pwd echo printf tee mkdir touch stat file test [ true grep rg'.split(
    ' ',
  ),
)

/** A command that handles spec or log, and does nothing but show and write files. */
function isPaperwork(command: string, { specFile, includedFiles = [], logFile }: Surroundings): boolean {
  const names = [specFile, ...includedFiles, logFile, dirname(logFile)].map((file) => basename(file))
  return names.some((name) => command.includes(name)) && programsIn(command).every((program) => clerks.has(program))
}

/** Programs that give back their own arguments, or nothing. */
const parrots: ReadonlySet<string> = new Set('echo printf true : sleep cd pwd'.split(' '))

/** A command that prints words of the agent's own choice and nothing else: no variable, no file, no other program. */
function isIdle(command: string): boolean {
  return !/[$`<>]/.test(withoutQuoted(command)) && programsIn(command).every((program) => parrots.has(program))
}

/** What stands in quotes is no command, unless the shell replaces something in it. */
function withoutQuoted(command: string): string {
  return command.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g, (quoted) =>
    quoted.startsWith('"') && /[$`]/.test(quoted) ? quoted : "''",
  )
}

/** First words of the simple commands; what a here-document holds is no command. */
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
