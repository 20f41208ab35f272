import type { Writable } from 'node:stream'
import type { FixTools } from './loop/fix-context.ts'
import { progressOf } from './session/progress.ts'
import { runSessionTests } from './tests/run-session-tests.ts'
import { openSessionStore, readSessionState, sessionFolder } from './session/session-store.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { SetUpError } from '../common/set-up-error.ts'
import type { FixFlags } from './flags.ts'
import { plainJson } from '../../system/text/plain-text.ts'

/** Runs the tests of a session once, and prints what the script of a test tasker prints. */
export async function printTests(
  { flags, root }: { readonly flags: FixFlags; readonly root: string },
  { tools, stdout }: { readonly tools: FixTools; readonly stdout: Writable },
): Promise<CommandEnding> {
  const folder = sessionFolder(root, flags.resume ?? '')
  const state = await readSessionState(folder)
  const { runner } = progressOf(state.history)
  if (runner === undefined)
    throw new SetUpError('The session does not know yet how its tests run: go on with it first.')
  const ran = await runSessionTests(runner, { ...tools, state, store: await openSessionStore(folder) })
  const { total, failing, summary_path: summaryPath } = ran.results
  const details = failing.map(({ key: _key, ...failure }) => failure)
  const keys = new Set([...failing, ...ran.results.others].map(({ name, file }) => `${file}\n${name}`))
  const passed = ran.results.executed?.filter(({ name, file }) => !keys.has(`${file}\n${name}`))
  const told = { total, failed: failing.length, passed, details, summary_path: summaryPath }
  stdout.write(`${plainJson(JSON.stringify(told))}\n`)
  if (!ran.ok) return { command: 'fix', end: 'error' }
  return { command: 'fix', end: failing.length === 0 ? 'success' : 'incomplete' }
}
