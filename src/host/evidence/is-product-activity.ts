import { basename, dirname, resolve } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { recordingFileOf } from '../../spec/recording/recording.ts'
import { ownTools } from '../../agents/report-access.ts'
import { lineFacts } from '../../executor/line-facts.ts'
import type { SeenCall } from './own-work.ts'

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
export function isReading({ kind, title }: Pick<SeenCall, 'kind' | 'title'>): boolean {
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
