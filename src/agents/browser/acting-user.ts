import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const userFile = (home: string): string => join(home, 'user')

/** Sets the user for the browser tools. mdtest calls `actAs` after each step report, so no model chooses the user. */
export function actAs(user: string, home: string): void {
  writeFileSync(userFile(home), user)
}

export function actingUser(home: string): string {
  return existsSync(userFile(home)) ? readFileSync(userFile(home), 'utf8') : ''
}
