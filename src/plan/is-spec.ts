import { pathIn } from '../system/files/paths.ts'
import { isRecordingFile } from '../spec/recording/recording.ts'
import { compileGlob } from '../system/files/match-glob.ts'
import { hasSpecEnding } from '../system/spec-endings.ts'

/** Whether a module id or a path names a spec to run. */
export type IsSpec = (id: string) => boolean

interface SpecFiles {
  readonly root: string
  /** Globs relative to it. */
  readonly include: readonly string[]
  /** Absolute paths of files that are specs as well. */
  readonly files?: readonly string[] | undefined
}

/** Tells specs from other files. A recording is none; a file with a query of the user's, such as `?raw`, is read by others. */
export function createIsSpec({ root, include, files = [] }: SpecFiles): IsSpec {
  const globs = include.map(compileGlob)
  const known = new Set(files)
  return (id) => {
    const file = id.replace(/\?[tv]=[^&]*$/, '')
    // Most ids do not even end like one.
    if (!hasSpecEnding(file) || isRecordingFile(file)) return false
    const path = pathIn(root, file)
    return known.has(file) || globs.some((matches) => matches(path))
  }
}

/** The path in a module id, without its query. */
export function fileOf(id: string): string {
  return id.split('?', 1)[0] ?? id
}
