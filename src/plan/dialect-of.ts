import { dialectPlaces } from '../spec/dialects/places.ts'
import { compileGlob } from '../system/files/match-glob.ts'
import { pathIn } from '../system/files/path-in.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'

export interface DialectContext extends Pick<ResolvedOptions, 'dialects'> {
  /** Absolute path of the suite root. */
  readonly root: string
}

/** The dialect of a file (absolute path), by the option `dialects`, else by where the other tool has its files. */
export function dialectOf(file: string, { root, dialects }: DialectContext): string | undefined {
  const path = pathIn(root, file)
  const all = [...Object.entries(dialects), ...Object.entries(dialectPlaces)]
  return all.find(([, globs = []]) => globs.some((glob) => compileGlob(glob)(path)))?.[0]
}
