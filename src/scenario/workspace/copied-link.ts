import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { isInside } from '../../system/files/is-inside.ts'

/** The folders of a copy. All absolute. */
export interface CopyPlaces {
  /** The suite root as it is called. */
  readonly root: string
  /** The same with all links resolved. */
  readonly realRoot: string
  readonly target: string
}

/**
 * What a copied link says: the same where it stays in the root, the copy of its target where it names that by an
 * absolute path, and the absolute path of its target where it leaves the root.
 *
 * @param link.from absolute path of the original link
 */
export function copiedLink(
  { from, text }: { readonly from: string; readonly text: string },
  { root, realRoot, target }: CopyPlaces,
): string {
  const destination = resolve(dirname(from), text)
  const home = [realRoot, root].find((each) => isInside(destination, each))
  if (home === undefined) return destination
  // A link of a module folder elsewhere that leads into the root has to be told where the copy is.
  const isAtHome = isInside(from, home)
  return isAbsolute(text) || !isAtHome ? join(target, relative(home, destination)) : text
}
