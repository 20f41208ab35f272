import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { SavedLogin, SavedLogins } from '../../spec/front-matter/front-matter.ts'
import { readLoginFile } from '../../spec/front-matter/login-file.ts'
import type { SpecProblem } from '../../spec/spec.ts'
import { groundFor } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/paths.ts'
import { createFile, makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { loginFileOf } from '../../system/spec-endings.ts'
import type { BrowserSettings } from './browser-settings.ts'

const ownFolder = '.mdtest'

interface LoginPlace {
  readonly specFile: string
  readonly root: string
}

/** How the browser of a user begins. Paths are absolute; one of them is there. */
export interface Login {
  readonly user: string
  /** Is carried out where nothing is saved, or what is saved has expired. */
  readonly file?: string
  readonly storageState?: string
  readonly signedIn?: string
}

/** The login of a user that a spec begins with: in its folder, or in the nearest one above, up to the root. */
export function findLogin({ specFile, root }: LoginPlace, user = ''): string | undefined {
  for (let folder = dirname(specFile); ; folder = dirname(folder)) {
    const file = join(folder, loginFileOf(user))
    if (existsSync(file)) return file
    if (folder === root || !isInside(folder, root) || folder === dirname(folder)) return undefined
  }
}

/** Where `mdtest login` saves what a user has signed in to. */
export function savedLoginFile(root: string, user: string): string {
  return join(root, ownFolder, 'logins', `${user || 'default'}.json`)
}

/** Whoever reads it is signed in: nobody else may, and git does not take what is in our own folder. */
export function saveLogin(file: string, state: string | Uint8Array, root: string): void {
  const ground = groundFor(dirname(file), root)
  makeFolder(ground, dirname(file))
  if (isInside(file, join(root, ownFolder))) createFile(ground, join(root, ownFolder, '.gitignore'), '*\n')
  replaceFile(ground, file, { content: state, mode: 0o600 })
}

/** `undefined` for who is signed out, or named without a file or a state. */
export function planLogin(
  user: string,
  { saved = {}, ...place }: LoginPlace & { readonly saved?: SavedLogins | undefined },
): Login | undefined {
  if (user === 'none') return undefined
  const file = findLogin(place, user)
  const given: Partial<SavedLogin> = { ...(file !== undefined && headOf(file)), ...saved[user] }
  const { signedIn } = given
  const own = savedLoginFile(place.root, user)
  // Nobody would notice that what was saved has expired, and the login would never be carried out again.
  const isUsed = existsSync(own) && (file === undefined || signedIn !== undefined)
  const storageState = given.storageState === undefined ? isUsed && own : resolve(place.root, given.storageState)
  if (file === undefined && !storageState) return undefined
  return {
    user,
    ...(file !== undefined && { file }),
    ...(storageState && { storageState }),
    ...(signedIn !== undefined && { signedIn }),
  }
}

/** Each application has logins of its own. */
export function loginKey(
  login: Login,
  { baseUrl, credentials }: Pick<BrowserSettings, 'baseUrl' | 'credentials'>,
): string {
  return JSON.stringify([login, baseUrl, credentials])
}

function headOf(file: string): Partial<SavedLogin> {
  return readLoginFile(readFileSync(file, 'utf8'), () => undefined)
}

/** What is wrong with the front matter of a login. */
export function problemsOfLogin(file: string): readonly SpecProblem[] {
  const problems: SpecProblem[] = []
  readLoginFile(readFileSync(file, 'utf8'), (ruleId, { line, column }, message) =>
    problems.push({ file, line, column, ruleId, message }),
  )
  return problems
}
