import { basename, dirname, resolve } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { recordingFileOf } from '../../spec/recording/recording.ts'
import { ownTools, ownServer } from '../../agents/report-access.ts'
import { lineFacts, type LineFacts } from '../../permissions/line-evidence.ts'
import type { SeenCall } from './agents-own-files.ts'
import { browserServer } from '../../agents/browser/playwright-package.ts'
import type { DoneCall } from '../../agents/agent.ts'
import type { AgentCall } from '../../records/agent-call.ts'

export interface SpecPaths {
  readonly cwd: string
  readonly specFile: string
  readonly specCopy?: string | undefined
  readonly includedFiles?: readonly string[]
  readonly logFile: string
}

/** Whether a call may have used the product. Reports, `echo`, reading the spec and writing the log do not use it. */
export function isProductActivity(call: SeenCall, paths: SpecPaths): boolean {
  const { kind, tool, use, title, files } = call
  if (tool.startsWith(ownTools) || use === 'housekeeping') return false
  if (kind === 'command') return isActivity(title, commandFacts(title), paths)
  if (files.length === 0) return kind !== 'file' || use === 'search' || use === 'list'
  return !files.every((file) => isSpecOrLog(resolve(paths.cwd, file), paths))
}

function isSpecOrLog(file: string, paths: SpecPaths): boolean {
  return specFilesOf(paths).includes(file) || isInside(file, dirname(paths.logFile))
}

function specFilesOf({ specFile, specCopy = specFile, includedFiles = [] }: SpecPaths): readonly string[] {
  return [...[specFile, specCopy].flatMap((file) => [file, recordingFileOf(file)]), ...includedFiles]
}

function commandFacts(command: string): LineFacts {
  return lineFacts(command, { allow: [], home: '/', directories: ['/'], isNamed: () => true })
}

function isActivity(
  command: string,
  { isActivity: isActive, lookedAt, isProduct }: LineFacts,
  paths: SpecPaths,
): boolean {
  const files = [...specFilesOf(paths), paths.logFile, dirname(paths.logFile)]
  const isNamed = files.some((file) => command.includes(basename(file)))
  return isActive && !(isNamed && (lookedAt !== undefined || !isProduct))
}

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
    case 'edit': {
      const { file, content } = call
      if (isSpecOrLog(file, paths)) return []
      if (/[\r\0\uFFFD]/.test(content))
        return [{ kind: 'unrepeatable', step, why: `${file} holds characters that no block can hold` }]
      return [{ kind: 'edit', step, file, content }]
    }
    case 'mcp': {
      const { server, tool, input, output, isError } = call
      // Tools of mdtest's own server concern the run, not the product.
      if (server === ownServer) return []
      const told = { step, tool, input, output, isError }
      return [server === browserServer ? { kind: 'browser', ...told } : { kind: 'mcp', server, ...told }]
    }
    case 'unfinished': {
      const how = call.isEnded ? 'did not end by itself' : 'was left running'
      return [{ kind: 'unrepeatable', step, why: `\`${call.command}\` ${how}` }]
    }
    case 'report':
    case 'refused':
      return []
    default:
      return call satisfies never
  }
}

function commandCall(
  { command, cwd, exitCode, output, isBackground }: Extract<DoneCall, { kind: 'command' }>,
  step: string,
  paths: SpecPaths,
): readonly AgentCall[] {
  const facts = commandFacts(command)
  if (!isActivity(command, facts, paths)) return []
  if (isBackground) return [{ kind: 'service', step, command, cwd }]
  const isLook = facts.lookedAt !== undefined && !/[>]|\b(?:tee|mkdir|touch)\b/.test(command)
  return [{ kind: 'command', step, command, cwd, exitCode, output, isLook }]
}
