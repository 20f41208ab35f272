import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionStore } from '../session/session-store.ts'

/** Relative to the session's folder. */
export const scriptFile = 'artifacts/run-tests'

export function writeScript(text: string, store: SessionStore): void {
  store.write(scriptFile, text)
  chmodSync(join(store.folder, scriptFile), 0o755)
}

/**
 * Puts back the script of the tests, which stands where no checkpoint reaches. Whether it was another one.
 *
 * @param text what it was
 */
export function putBackScript(text: string, store: SessionStore): boolean {
  if (currentText(store) === text) return false
  writeScript(text, store)
  return true
}

function currentText({ folder }: SessionStore): string | undefined {
  try {
    return readFileSync(join(folder, scriptFile), 'utf8')
  } catch {
    return undefined // It is gone.
  }
}
