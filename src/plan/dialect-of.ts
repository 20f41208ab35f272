import { dialectPlaces } from '../spec/dialects/places.ts'
import { compileGlob } from '../system/files/match-glob.ts'
import { pathIn } from '../system/files/paths.ts'
import { wholePath } from './places-from.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'

export interface DialectContext extends Pick<ResolvedOptions, 'dialects'> {
  readonly root: string
}

/** The dialect of a file (absolute path), by the option `dialects`, else by where the other tool has its files. */
export function dialectOf(file: string, { root, dialects }: DialectContext): string | undefined {
  const path = pathIn(root, file)
  const whole = wholePath(file)
  const chosen = Object.entries(dialects).find(([, globs = []]) => globs.some((glob) => compiled(glob)(path)))
  // The root itself may lie within such a place.
  const placed = Object.entries(dialectPlaces).find(([, globs]) => globs.some((glob) => compiled(glob)(whole)))
  return (chosen ?? placed)?.[0]
}

const matchers = new Map<string, ReturnType<typeof compileGlob>>()

/** A run asks this of thousands of files, and has a handful of globs. */
function compiled(glob: string): ReturnType<typeof compileGlob> {
  const known = matchers.get(glob) ?? compileGlob(glob)
  matchers.set(glob, known)
  return known
}
