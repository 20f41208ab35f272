import { basename, dirname, resolve } from 'node:path'
import type { ActivityKind } from '../agents/agent.ts'
import { isInside } from '../agents/is-inside.ts'

/** A tool call, as far as it is known when it begins. */
export interface SeenCall {
  readonly kind: ActivityKind
  readonly tool: string
  readonly title: string
  readonly files: readonly string[]
}

/** What a tool call is held against. All paths are absolute. */
export interface Surroundings {
  readonly cwd: string
  readonly specFile: string
  /** The same spec in the copy of the root that the agent works in. */
  readonly specCopy?: string | undefined
  /** The result log; nothing that is written to its folder tries anything out. */
  readonly logFile: string
}

/** Prefix of mdtest's own tools, as both CLIs name them. */
export const ownTools = 'mcp__mdtest__'

/** What Claude Code does for itself. */
const housekeeping: ReadonlySet<string> = new Set(
  `ToolSearch TodoWrite TaskCreate TaskUpdate TaskList TaskGet EnterPlanMode ExitPlanMode AskUserQuestion Skill
  ListMcpResourcesTool`.split(/\s+/),
)

const editors: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'file_change'])

/** Files that a call writes, as far as it names them. */
export function writtenBy({ tool, files }: SeenCall): readonly string[] {
  return editors.has(tool) ? files : []
}

/** Whether a call may have tried the product: it is not for mdtest, for reading the spec or for writing the log. */
export function isActivity(call: SeenCall, surroundings: Surroundings): boolean {
  const { kind, tool, title, files } = call
  if (tool.startsWith(ownTools) || housekeeping.has(tool)) return false
  if (kind === 'command') return !isPaperwork(title, surroundings)
  if (files.length === 0) return true
  return !files.every((file) => isPaper(resolve(surroundings.cwd, file), surroundings))
}

function isPaper(file: string, { specFile, specCopy, logFile }: Surroundings): boolean {
  return file === specFile || file === specCopy || isInside(file, dirname(logFile))
}

/** Programs that show or write files and try nothing. */
const clerks: ReadonlySet<string> = new Set(
  'cat head tail sed nl less more bat wc ls cd pwd echo printf tee mkdir touch stat file test [ true grep rg'.split(
    ' ',
  ),
)

/** A command that handles spec or log, and does nothing but show and write files. */
function isPaperwork(command: string, { specFile, logFile }: Surroundings): boolean {
  const names = [basename(specFile), basename(logFile), basename(dirname(logFile))]
  return names.some((name) => command.includes(name)) && programsIn(command).every((program) => clerks.has(program))
}

/** First words of the simple commands; what a here-document holds is no command. */
function programsIn(command: string): readonly string[] {
  const code = command.replace(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n\s*\2[ \t]*(?=\n|$)|$)/g, '$3')
  return code.split(/&&|\|\||[;|&\n]/).flatMap((part) => {
    const word = /^\s*(?:[A-Za-z_]\w*=\S*\s+)*([^\s<>]+)/.exec(part)?.[1]
    return word === undefined ? [] : [basename(word)]
  })
}
