import { dialectPlaces, knownPlaces, contextName } from '../spec/dialects/places.ts'
import { compileGlob } from '../system/files/match-glob.ts'
import { pathIn, isInside } from '../system/files/paths.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow } from '../system/files/list-files.ts'

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

/**
 * Where other tools have their files, as globs relative to a folder (absolute path), which may lie within such a place: from
 * `openspec/specs` it is also any `spec.md` below.
 */
export function placesFrom(folder: string): readonly string[] {
  const path = wholePath(folder)
  const within = knownPlaces.flatMap((glob) => {
    const names = glob.split('/')
    return names.slice(1, -1).flatMap((_name, index) => {
      const [above, below] = [names.slice(0, index + 2), names.slice(index + 2)]
      const isBelowAny = above.at(-1) === '**'
      return compileGlob(above.join('/'))(path) ? [[...(isBelowAny ? ['**'] : []), ...below].join('/')] : []
    })
  })
  return [...new Set([...knownPlaces, ...within])]
}

function wholePath(path: string): string {
  return pathIn('/', path)
}

/** Where files that say how the product is run would be for a spec: the outermost first. Absolute paths. */
export function contextFilesOf(file: string, root: string): readonly string[] {
  const files: string[] = []
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (folder !== root && !isInside(folder, root)) break
    files.unshift(join(folder, contextName))
    if (folder === root || folder === dirname(folder)) break
  }
  return files
}

/** Whether a spec of another tool below the folder of such a file (absolute path) has a line that ends with this title. */
export function createScenarioSearch(context: DialectContext): (title: string, contextFile: string) => boolean {
  const has = (file: string, title: string): boolean =>
    dialectOf(file, context) !== undefined && linesOf(file).some((line) => line.trimEnd().endsWith(title))
  return (title, contextFile) => {
    const key = `${contextFile}\n${title}`
    const known = places.get(key)
    if (known !== undefined && has(known, title)) return true
    for (const file of filesBelow(dirname(contextFile))) {
      if (!has(file, title)) continue
      places.set(key, file)
      return true
    }
    return false
  }
}

/** Where titles were found. Each spec asks for all that it lacks itself, so all of a run ask for the same. */
const places = new Map<string, string>()

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return [] // It is gone meanwhile.
  }
}
