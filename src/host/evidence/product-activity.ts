import { basename, dirname, resolve, relative } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { recordingFileOf } from '../../spec/recording/recording.ts'
import { ownTools, ownServer } from '../../agents/report-access.ts'
import { lineFacts } from '../../executor/line-facts.ts'
import type { SeenCall } from './own-work.ts'
import { browserServer } from '../../agents/browser/playwright-server.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import type { AgentCall } from '../../records/agent-call.ts'
import { quoteWord } from '../../system/text/quoting.ts'

export interface SpecPaths {
  readonly cwd: string
  readonly specFile: string
  readonly specCopy?: string | undefined
  readonly includedFiles?: readonly string[]
  /** The result log; nothing that is written to its folder tries anything out. */
  readonly logFile: string
}

/** Whether a call may have used the product: it does more than report, read the spec, write the log or print words. */
export function isProductActivity(call: SeenCall, surroundings: SpecPaths): boolean {
  const { kind, tool, use, title, files } = call
  if (tool.startsWith(ownTools) || use === 'housekeeping') return false
  if (kind === 'command') return !touchesOnlySpecOrLog(title, surroundings) && lineFacts(title, anywhere).isActivity
  // A call on files that names none did nothing that we can see, unless it searched.
  if (files.length === 0) return kind !== 'file' || use === 'search' || use === 'list'
  return !files.every((file) => isSpecOrLog(resolve(surroundings.cwd, file), surroundings))
}

function isSpecOrLog(file: string, { specFile, specCopy, includedFiles = [], logFile }: SpecPaths): boolean {
  const specs = [specFile, ...(specCopy === undefined ? [] : [specCopy])]
  return [...specs, ...specs.map(recordingFileOf), ...includedFiles].includes(file) || isInside(file, dirname(logFile))
}

/** Whether a call only looks at files. It may print the spec under another name. */
function isReading({ kind, title }: Pick<SeenCall, 'kind' | 'title'>): boolean {
  return kind === 'command' ? lineFacts(title, anywhere).lookedAt !== undefined : kind === 'file'
}

const anywhere = { allow: [], home: '/', directories: ['/'], isNamed: () => true }

/** Whether a command names spec or log, and only shows and writes files. */
function touchesOnlySpecOrLog(command: string, { specFile, includedFiles = [], logFile }: SpecPaths): boolean {
  const names = [specFile, recordingFileOf(specFile), ...includedFiles, logFile, dirname(logFile)].map((file) =>
    basename(file),
  )
  if (!names.some((name) => command.includes(name))) return false
  const { lookedAt, isProduct } = lineFacts(command, anywhere)
  return lookedAt !== undefined || !isProduct
}

/**
 * What an agent did, as a recording needs it: with the step that was under way, and without what served the agent alone.
 *
 * @param steps ids of the steps that were asked for, in order
 */
export function repeatableCalls(
  calls: readonly DoneCall[],
  { steps, paths }: { readonly steps: readonly string[]; readonly paths: SpecPaths },
): readonly AgentCall[] {
  let reported = 0
  return calls.flatMap((call): readonly AgentCall[] => {
    const step = steps[reported]
    if (call.kind === 'report' && call.isAccepted) reported += 1
    return step === undefined ? [] : toAgentCall(call, step, paths)
  })
}

function toAgentCall(call: DoneCall, step: string, paths: SpecPaths): readonly AgentCall[] {
  switch (call.kind) {
    case 'command':
      return commandCall(call, step, paths)
    case 'read':
      return readCall(call, step, paths)
    case 'edit':
      return editCall(call, step, paths)
    case 'mcp':
      return mcpCall(call, step)
    case 'unfinished':
      return [{ kind: 'unrepeatable', step, why: `\`${call.command}\` ${howLeft(call)}` }]
    case 'report':
    case 'refused':
      return []
    default:
      return call satisfies never
  }
}

type Of<Kind extends DoneCall['kind']> = Extract<DoneCall, { readonly kind: Kind }>

function commandCall(call: Of<'command'>, step: string, paths: SpecPaths): readonly AgentCall[] {
  const seen: SeenCall = { kind: 'command', tool: 'shell', title: call.command, files: [] }
  if (!isProductActivity(seen, paths)) return []
  const { command, cwd, exitCode, output, shell } = call
  const ofShell = shell !== undefined && { shell }
  if (call.isBackground) return [{ kind: 'service', step, command, cwd, ...ofShell }]
  return [
    {
      kind: 'command',
      step,
      command,
      cwd,
      exitCode,
      output,
      isLook: isReading(seen) && !/[>]|\b(?:tee|mkdir|touch)\b/.test(command),
      ...ofShell,
    },
  ]
}

function howLeft({ isEnded }: Of<'unfinished'>): string {
  return isEnded ? 'did not end by itself' : 'was left running'
}

/** A file that was read without a command: a command shows the same. */
function readCall({ file, output }: Of<'read'>, step: string, paths: SpecPaths): readonly AgentCall[] {
  const seen: SeenCall = { kind: 'file', tool: 'Read', title: file, files: [file] }
  if (!isProductActivity(seen, paths)) return []
  const command = `cat ${quoteWord(relative(paths.cwd, file) || basename(file))}`
  return [
    {
      kind: 'command',
      step,
      command,
      cwd: paths.cwd,
      exitCode: 0,
      output: output.endsWith('\n') ? output : `${output}\n`,
      isLook: true,
    },
  ]
}

function editCall({ file, content }: Of<'edit'>, step: string, paths: SpecPaths): readonly AgentCall[] {
  const seen: SeenCall = { kind: 'file', tool: 'Write', title: file, files: [file] }
  if (!isProductActivity(seen, paths)) return []
  if (/[\r\0\uFFFD]/.test(content))
    return [{ kind: 'unrepeatable', step, why: `${file} holds characters that no block can hold` }]
  return [{ kind: 'edit', step, file, content }]
}

/** Other tools of mdtest's own tell of the run alone. */
function mcpCall({ server, ...call }: Of<'mcp'>, step: string): readonly AgentCall[] {
  if (server === ownServer) return []
  const { tool, input, output, isError } = call
  const told = { step, tool, input, output, isError }
  return [server === browserServer ? { kind: 'browser', ...told } : { kind: 'mcp', server, ...told }]
}
