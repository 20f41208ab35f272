import { join } from 'node:path'
import { findRunner } from '../../../test-runners/find-runner.ts'
import { runnerNamed, runnerNames, type RunnerName } from '../../../test-runners/runners.ts'
import { askRole } from './ask-role.ts'
import type { ActContext } from '../loop/fix-context.ts'
import type { FinishedAct } from '../session/history.ts'
import { scriptFile, writeScript } from './test-script.ts'
import { z } from 'zod'

/** Relative to the session's folder. */
const configFile = 'artifacts/test_config.json'

/** Finds out how the tests run: by a known runner, else by a test tasker, whose script has to be allowed. */
export async function configureTests(context: ActContext): Promise<FinishedAct> {
  const { settings } = context.state
  const runner = settings.runner ?? findRunner(settings.root)[0]
  if (runner !== undefined) return useRunner(runner, context)
  if (!settings.allowScript) {
    const message = `No known test runner was found in \`${settings.root}\`. Name it with \`--runner\` (${runnerNames.join(', ')}), or let an agent write a script with \`--allow-script\`.`
    return { kind: 'broke', message }
  }
  return await askTasker(context)
}

/** Whether an agent has to be asked. */
export function needsTasker({ state: { settings } }: Pick<ActContext, 'state'>): boolean {
  return settings.allowScript && settings.runner === null && findRunner(settings.root).length === 0
}

function useRunner(runner: RunnerName, context: ActContext): FinishedAct {
  const { state, store, program } = context
  const { settings } = state
  const description = `The whole suite by \`${runnerNamed(runner).template.all}\`.`
  writeConfig({ runner, description, test_files: settings.scope === null ? [] : [settings.scope] }, context)
  const command = [...program, 'fix', '--resume', state.session_id, '--tests-only', '--root', projectOf(store.folder)]
  writeScript(
    `#!/bin/sh\n# Runs the tests of this session once. Prints { total, failed, passed, details, summary_path }, exits with 0 or 1.\nexec ${command.map(shellWord).join(' ')}\n`,
    store,
  )
  return { kind: 'tests-configured', runner }
}

async function askTasker(context: ActContext): Promise<FinishedAct> {
  const { feature, settings } = context.state
  const { scope, docs } = settings
  const prompt = testTaskerPrompt({ feature, scope, docs })
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
  store.write(configFile, { feature, scope: settings.scope, ...found, script: scriptFile })
}

/** The project that has a session's folder. */
function projectOf(folder: string): string {
  return join(folder, '../../..')
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** What a test tasker answers. */
export const testTaskerSchema = z.strictObject({
  /** What is tested, a sentence. */
  description: z.string(),
  /** Paths of the tests, relative to the root. */
  test_files: z.array(z.string()),
  /** An executable script with its first line, such as `#!/bin/sh`. */
  script: z.string().startsWith('#!'),
})

/** Asks how the tests of a project are run. */
function testTaskerPrompt(task: {
  readonly feature: string
  readonly scope: string | null
  readonly docs: readonly string[]
}): string {
  return `Find out how the tests of this project are run. Change nothing. Write a script that runs, from the root of the project,
the tests of ${JSON.stringify(task.feature)}${task.scope === null ? '' : ` in \`${task.scope}\``}, without questions and without watching.

The script exits with 0 where all tests passed and with 1 where any failed. As its last output it prints one JSON object:

{ "total": 3, "failed": 1, "passed": [{ "name": "doubles", "file": "tests/sum.test" }, { "name": "halves", "file": "tests/sum.test" }], "details": [{ "name": "adds", "file": "tests/sum.test", "line": 4, "message": "expected 3, got 2" }], "summary_path": "path of a file with the whole output" }

\`total\` counts tests that were executed. \`passed\` has each test that passed, \`details\` each that failed, by names that are the same in each run;
\`file\` (relative to the root), \`line\`, \`expected\` and \`received\` may be left out. It prints that object also where tests cannot start, with what is known.
${task.docs.length === 0 ? '' : `\nDocuments: ${task.docs.join(', ')}`}`
}
