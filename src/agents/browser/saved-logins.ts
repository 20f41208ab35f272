import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { SavedLogins } from '../../spec/front-matter/front-matter.ts'
import { readLoginFile } from '../../spec/front-matter/login-file.ts'
import { groundFor } from '../../system/files/trusted-folder.ts'
import { isInside } from '../../system/files/paths.ts'
import { createFile, makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { loginFileOf } from '../../system/spec-endings.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'

const ownFolder = '.mdtest'

interface LoginPlace {
  readonly specFile: string
  readonly root: string
}

/** How to sign a user in: by the login in `file`, by a saved `storageState`, or by both. Paths are absolute. */
export interface Login {
  readonly user: string
  /** Login to run if no state is saved, or if the saved state has expired. */
  readonly file?: string
  readonly storageState?: string
  readonly signedIn?: string
}

/** A user's login file: in the spec's folder, or in the nearest folder above it, up to `root`. */
export function findLogin({ specFile, root }: LoginPlace, user = ''): string | undefined {
  for (let folder = dirname(specFile); ; folder = dirname(folder)) {
    const file = join(folder, loginFileOf(user))
    if (existsSync(file)) return file
    if (folder === root || !isInside(folder, root) || folder === dirname(folder)) return undefined
  }
}

export function savedLoginFile(root: string, user: string): string {
  return join(root, ownFolder, 'logins', `${user || 'default'}.json`)
}

/** Saves a login. Only the owner can read the file, because its cookies sign anyone in. */
export function saveLogin(file: string, state: string | Uint8Array, root: string): void {
  const ground = groundFor(dirname(file), root)
  makeFolder(ground, dirname(file))
  if (isInside(file, join(root, ownFolder))) createFile(ground, join(root, ownFolder, '.gitignore'), '*\n')
  replaceFile(ground, file, { content: state, mode: 0o600 })
}

/** Returns `undefined` for the user `none`, and for a user without a login file and a saved state. */
export function planLogin(
  user: string,
  { saved = {}, ...place }: LoginPlace & { readonly saved?: SavedLogins | undefined },
): Login | undefined {
  if (user === 'none') return undefined
  const file = findLogin(place, user)
  const inFile = file === undefined ? {} : readLoginFile(readFileSync(file, 'utf8'), () => undefined)
  const given = { ...inFile, ...saved[user] }
  const own = savedLoginFile(place.root, user)
  // Without `signedIn`, mdtest could not notice an expired state. So the login in `file` runs every time.
  const isUsed = existsSync(own) && (file === undefined || given.signedIn !== undefined)
  const storageState =
    given.storageState === undefined ? (isUsed ? own : undefined) : resolve(place.root, given.storageState)
  if (file === undefined && storageState === undefined) return undefined
  return withoutUndefined<Login>({ user, file, storageState, signedIn: given.signedIn })
}
