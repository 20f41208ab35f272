import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Ground } from '../../system/files/trusted-folder.ts'
import { readFolder } from '../../system/files/list-files.ts'
import { createFile, makeFolder } from '../../system/files/write-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { withoutSpecEnding } from '../../system/spec-endings.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { groundOfLogFolder, groundOfLogs, type LogPlace } from './log-file.ts'
import { formatStem, stemNamedIn } from './log-names.ts'
import { pruneRunFolders, registerRun } from './prune-run-folders.ts'

export interface LogPaths {
  readonly ground: Ground
  readonly dir: string
  readonly stem: string
  readonly log: string
  readonly verdict: string
  /** The process that creates the journal has reserved the name of the run. */
  readonly journal: string
  readonly raw: string
  readonly evidence: string
}

export interface LogRequest extends LogPlace {
  readonly now: Date
  readonly keep: number
  /** Start of the run. Logs that were reserved after this time are kept, so that a run never removes its own logs. */
  readonly keepSince?: Date
}

/** Reserves a name that no other run gets. Removes old logs. @throws MdtestError `LOG_FOLDER_UNWRITABLE` */
export async function reserveLogs(request: LogRequest): Promise<LogPaths> {
  const dir = logFolder(request)
  const ground = groundOfLogs(request)
  try {
    makeFolder(ground, dir)
    createFile(ground, join(dir, '.gitignore'), '*\n')
    const paths = reserveStem(request.now, { dir, ground })
    const { keep, keepSince } = request
    pruneRunFolders({ parent: dir, ground, current: paths.stem, keep, keepSince })
    return paths
  } catch (error: unknown) {
    const why = describeFileError(error)
    throw new MdtestError('LOG_FOLDER_UNWRITABLE', `The log folder \`${dir}\` cannot be used (${why}).`, {
      hint: 'Make it a folder that can be written, or set the option `logs.dir` to another one.',
      cause: error,
    })
  }
}

/** The log folder of a spec: `path/X.logs` for `path/X.test.md`. With `dir`, the same path in `dir`. */
export function logFolder({ specFile, dir, root }: LogPlace): string {
  const folder = `${withoutSpecEnding(specFile)}.logs`
  if (dir === undefined) return resolve(root, folder)
  return join(resolve(root, dir), insideOf(relative(root, resolve(root, folder))))
}

/** Keeps the logs of a spec outside of the root inside `dir`: `../x` becomes `__/x`. */
function insideOf(path: string): string {
  const parts = path.split(sep).map((part) => (part === '..' ? '__' : part))
  return isAbsolute(path) ? join('__', ...parts.slice(1)) : join(...parts)
}

function reserveStem(now: Date, { dir, ground }: Pick<LogPaths, 'dir' | 'ground'>): LogPaths {
  // A name is taken if any file begins with it: an old log, or a link that an agent made.
  const taken = new Set(readFolder(ground, dir).map(({ name }) => stemNamedIn(name)))
  for (let count = 1; ; count += 1) {
    const stem = formatStem(now, count)
    if (taken.has(stem)) continue
    const paths = logPathsOf(dir, stem, ground)
    registerRun(ground, dir, stem)
    if (createFile(ground, paths.journal, '')) return paths
  }
}

export function logPathsOf(dir: string, stem: string, ground: Ground = groundOfLogFolder(dir)): LogPaths {
  const base = join(dir, stem)
  const [log, verdict] = [`${base}.log.md`, `${base}.verdict.json`]
  const [journal, raw] = [`${base}.journal.jsonl`, `${base}.raw.log`]
  return { ground, dir, stem, log, verdict, journal, raw, evidence: base }
}
