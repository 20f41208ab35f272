import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const nameOf = (home: string): string => join(home, 'user')

/** Has browser tools act as this user from now on. mdtest does so when a step was reported: no model has a say in it. */
export function actAs(user: string, home: string): void {
  writeFileSync(nameOf(home), user)
}

/** @param home the private folder of a browser */
export function actingUser(home: string): string {
  const file = nameOf(home)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
