import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const nameOf = (home: string): string => join(home, 'user')

/** Sets the user for the browser tools. mdtest calls this after a step report, so no model can influence it. */
export function actAs(user: string, home: string): void {
  writeFileSync(nameOf(home), user)
}

/** @param home the browser's private folder */
export function actingUser(home: string): string {
  const file = nameOf(home)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
