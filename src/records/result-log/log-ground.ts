import { dirname, resolve } from 'node:path'
import { groundAt, groundFor, type Ground } from '../../system/files/ground.ts'

interface LogPlace {
  readonly specFile: string
  /** Folder for the logs in place of `X.logs` beside the spec, relative to `root`. */
  readonly dir?: string
  readonly root: string
}

/** Below what the log folder of a spec is reached through no link: the spec's folder, or what `logs.dir` names. */
export function groundOfLogs({ specFile, dir, root }: LogPlace): Ground {
  return dir === undefined ? groundAt(dirname(resolve(root, specFile))) : groundFor(resolve(root, dir), root)
}

/** The same of a log folder of which no more is known: it may be no link itself. */
export function groundOfLogFolder(dir: string): Ground {
  return groundAt(dirname(dir))
}

/** The same of a file in a log folder. */
export function groundOfLog(file: string): Ground {
  return groundOfLogFolder(dirname(file))
}
