import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { orNothing } from '../../../system/error-facts.ts'
import { singleQuoted } from '../../../system/text/shell-and-regex-quotes.ts'
import { findRunner, runnerNamed, runnerNames, type RunnerName } from '../../../test-runners/runners.ts'
import type { ActContext } from '../loop/session-keeper.ts'
import type { FinishedAct } from '../session/finished-acts.ts'
import type { SessionStore } from '../session/session-store.ts'
import { askRole } from './ask-role.ts'

export const scriptFile = 'artifacts/run-tests'

export async function configureTests(context: ActContext): Promise<FinishedAct> {
  const { settings } = context.state
  const runner = settings.runner ?? findRunner(settings.root)[0]
  if (runner !== undefined) return useRunner(runner, context)
  if (settings.allow_script) return await askTasker(context)
  const message = `No known test runner was found in \`${settings.root}\`. Name it with \`--runner\` (${runnerNames.join(', ')}), or let an agent write a script with \`--allow-script\`.`
  return { kind: 'broke', message }
}

export function needsTasker({ state: { settings } }: Pick<ActContext, 'state'>): boolean {
  return settings.allow_script && settings.runner === null && findRunner(settings.root).length === 0
}

function useRunner(runner: RunnerName, context: ActContext): FinishedAct {
  const { state, store, program } = context
  const { scope } = state.settings
  const description = `The whole suite by \`${runnerNamed(runner).template.all}\`.`
  writeConfig({ runner, description, test_files: scope === null ? [] : [scope] }, context)
  const project = join(store.folder, '../../..')
  const command = [...program, 'fix', '--resume', state.session_id, '--tests-only', '--root', project]
  writeScript(
    `#!/bin/sh\n# Runs the tests of this session once. Prints { total, failed, passed, details, summary_path }, exits with 0 or 1.\nexec ${command.map(singleQuoted).join(' ')}\n`,
    store,
  )
  return { kind: 'tests-configured', runner }
}

async function askTasker(context: ActContext): Promise<FinishedAct> {
  const prompt = testTaskerPrompt(context)
  const answer = await askRole({ role: 'test-tasker', prompt, schema: testTaskerSchema }, context)
  if (!answer.ok && answer.cause === 'limit') return { kind: 'waited', reason: answer.reason }
  if (!answer.ok) return { kind: 'broke', message: `No script for the tests was written: ${answer.reason}` }
  const { script, ...rest } = answer.value
  writeConfig({ runner: null, ...rest }, context)
  writeScript(script, context.store)
  return { kind: 'tests-configured', runner: null }
}

function writeConfig(found: object, { state, store }: ActContext): void {
  const { feature, settings } = state
  store.write('artifacts/test_config.json', { feature, scope: settings.scope, ...found, script: scriptFile })
}

function writeScript(text: string, store: SessionStore): void {
  store.write(scriptFile, text)
  chmodSync(join(store.folder, scriptFile), 0o755)
}

/** Restores the test script, because checkpoints do not contain it. Returns whether it was changed. */
export function putBackScript(text: string, store: SessionStore): boolean {
  if (orNothing(() => readFileSync(join(store.folder, scriptFile), 'utf8')) === text) return false
  writeScript(text, store)
  return true
}

export const testTaskerSchema = z.object({
  description: z.string(),
  test_files: z.array(z.string()),
  script: z.string().startsWith('#!'),
})

function testTaskerPrompt({ state: { feature, settings } }: ActContext): string {
  const { scope, docs } = settings
  return `Find out how the tests of this project are run. Change nothing. Write a script that runs, from the root of the project,
the tests of ${JSON.stringify(feature)}${scope === null ? '' : ` in \`${scope}\``}, without questions and without watching.

The script exits with 0 where all tests passed and with 1 where any failed. As its last output it prints one JSON object:

{ "total": 3, "failed": 1, "passed": [{ "name": "doubles", "file": "tests/sum.test" }, { "name": "halves", "file": "tests/sum.test" }], "details": [{ "name": "adds", "file": "tests/sum.test", "line": 4, "message": "expected 3, got 2" }], "summary_path": "path of a file with the whole output" }

\`total\` counts tests that were executed. \`passed\` has each test that passed, \`details\` each that failed, by names that are the same in each run;
\`file\` (relative to the root), \`line\`, \`expected\` and \`received\` may be left out. It prints that object also where tests cannot start, with what is known.
${docs.length === 0 ? '' : `\nDocuments: ${docs.join(', ')}`}`
}
