import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { realPathOf } from '../../../system/files/ground.ts'
import { isInside } from '../../../system/files/is-inside.ts'
import { readForeignFile } from '../../../system/files/read-file.ts'
import { ownTools } from '../../report-access.ts'
import type { ToldDoneCall } from '../acp-session-events.ts'
import type { CallPart } from './acp-messages.ts'
import { commandOf, fieldsOf, outputOf, shellExitOf, textOf, toolOf, type ToldCall } from './told-call.ts'

interface DoneContext {
  /** The message that told of its end. */
  readonly part: CallPart
  /** Absolute path of the directory of the session: no file outside of it is read. */
  readonly cwd: string
  /** Names of the MCP servers that the agent was given. */
  readonly servers: readonly string[]
  readonly isRefused: boolean
}

/**
 * What a call that is over did, to be repeated without the agent. What an edit made of a file is read there: agents tell
 * of the changed lines alone.
 */
export function doneCalls(call: ToldCall, context: DoneContext): readonly ToldDoneCall[] {
  const { part, cwd, servers, isRefused } = context
  const isFailed = part.status === 'failed'
  if (isRefused) return [{ kind: 'refused' }]
  const command = commandOf(call)
  if (command !== undefined) return [doneCommand(call, command, context)]
  const tool = toolOf(call, servers)
  if (tool !== undefined) return [doneTool(call, tool, context)]
  const files = call.files.map((file) => resolve(cwd, file))
  switch (call.kind) {
    case 'read':
      return isFailed ? [{ kind: 'refused' }] : files.map((file) => ({ kind: 'read', file }))
    case 'edit':
    case 'delete':
    case 'move':
      if (isFailed) return [{ kind: 'refused' }]
      return files.length > 0 ? files.map((file) => doneEdit(file, call, cwd)) : [otherTool(call)]
    case 'search':
    case 'think':
      return [{ kind: 'aside' }]
    default:
      return [otherTool(call)]
  }
}

/** A command whose exit code or output is not told is none that can be repeated. */
function doneCommand({ input, exitCode }: ToldCall, command: string, { part, cwd }: DoneContext): ToldDoneCall {
  const raw = fieldsOf(part.rawOutput)
  const isBackground = [input.is_background, input.run_in_background].includes(true) || input.mode === 'async'
  if (!isBackground && (exitCode === undefined || outputOf(part) === undefined)) return { kind: 'untold', command }
  const places = [input.workdir, input.directory, input.dir_path, raw.directory, shellExitOf(raw)?.cwd, input.cwd]
  const directory = places.map(textOf).find((place) => place !== undefined) ?? ''
  return {
    ...{ kind: 'command', command, cwd: resolve(cwd, directory), exitCode: exitCode ?? 0, isBackground },
    // OpenCode has words of its own for no output.
    ...(raw.output === '(no output)' ? { isWhole: true, output: '' } : wholeOutput(fieldsOf(raw.metadata))),
  }
}

/** A long output is cut where it is told. OpenCode keeps it in a file. */
function wholeOutput({ truncated, outputPath }: Readonly<Record<string, unknown>>): {
  readonly isWhole: boolean
  readonly output?: string
} {
  if (truncated !== true) return { isWhole: true }
  const output = readText(textOf(outputPath) ?? '', maxOutputBytes)
  return output === undefined ? { isWhole: false } : { isWhole: true, output }
}

const maxOutputBytes = 64 * 1024 * 1024

function doneTool({ input }: ToldCall, name: string, { part, servers }: DoneContext): ToldDoneCall {
  const isFailed = part.status === 'failed'
  if (name === `${ownTools}report_step`) return { kind: 'report', isAccepted: !isFailed }
  const server = servers.find((one) => name.startsWith(`mcp__${one}__`)) ?? ''
  return { kind: 'mcp', server, tool: name.slice(`mcp__${server}__`.length), input, isError: isFailed }
}

/** Not told is what another one made of it by now. */
function doneEdit(file: string, { written }: ToldCall, cwd: string): ToldDoneCall {
  if (!existsSync(file)) return { kind: 'edit', file, isGone: true }
  const content = isInside(realPathOf(file), realPathOf(cwd)) ? readText(file, maxFileBytes) : undefined
  return {
    ...{ kind: 'edit', file },
    ...(content !== undefined && written.every((words) => content.includes(words)) && { content }),
  }
}

const maxFileBytes = 1024 * 1024

function readText(file: string, maxBytes: number): string | undefined {
  return readForeignFile(file, maxBytes)?.toString('utf8')
}

function otherTool({ names: [tool = 'unknown'] }: ToldCall): ToldDoneCall {
  return { kind: 'other', tool, isOfHelper: false }
}
