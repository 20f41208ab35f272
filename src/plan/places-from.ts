import { knownPlaces } from '../spec/dialects/places.ts'
import { compileGlob } from '../system/files/match-glob.ts'
import { pathIn } from '../system/files/paths.ts'

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

/** An absolute path as globs have it, from the root of the disk. */
export function wholePath(path: string): string {
  return pathIn('/', path)
}
