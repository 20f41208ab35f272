import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings } from '../acp/settings-file.ts'

/** Absolute path of the folder in which Copilot CLI keeps settings, login and sessions. */
export function copilotHome({ COPILOT_HOME, HOME = '' }: Readonly<Record<string, string | undefined>>): string {
  return COPILOT_HOME ?? join(HOME, '.copilot')
}

/** What its user has allowed once and for all in a folder: it would not ask. */
const approvals = 'permissions-config.json'
/** Its hooks may allow what they like. */
const settings = 'settings.json'

/**
 * Makes `home` (absolute path of an empty folder) a home like the user's own: login and sessions are the same, but nothing
 * is allowed in advance.
 */
export function linkCopilotHome(home: string, env: Readonly<Record<string, string | undefined>>): void {
  const own = copilotHome(env)
  // Else the sessions of a first start were lost.
  mkdirSync(join(own, 'session-state'), { recursive: true })
  for (const name of readdirSync(own)) {
    if (name === approvals || name.startsWith(settings)) continue
    symlinkSync(join(own, name), join(home, name))
  }
  writeFileSync(join(home, settings), JSON.stringify({ ...readSettings(join(own, settings)), disableAllHooks: true }))
}
