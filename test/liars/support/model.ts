import type { ToolResult } from '../../support/conversation.ts'
import type { ModelScript } from '../../support/model-server.ts'
import { callOwn, playTurn } from '../../support/scripts/report-spec.ts'
import { readTask, type Task } from '../../support/scripts/read-task.ts'
import type { ModelAction } from '../../support/tool-dialect.ts'
import type { ModelDefinition } from './scene.ts'

/** Steps of the notes' spec. */
export const addNote = '1-add-a-note'
export const listNotes = '2-list-the-notes'

type Turn = Generator<ModelAction, string | void, ToolResult>

/** A model that does this with its task. Its last words are that all passed, unless it has others. */
export function model(act: (task: Task) => Turn): ModelScript {
  return playTurn(function* ({ prompt }) {
    const task = readTask(prompt)
    return task === undefined ? 'There is no task.' : ((yield* act(task)) ?? 'All steps passed.')
  })
}

/** An agent with such a model. */
export function byModel(as: 'claude' | 'codex', does: string, act: (task: Task) => Turn): ModelDefinition {
  return { as, does, script: model(act) }
}

export function run(command: string): ModelAction {
  return { kind: 'command', command }
}

/** Calls a tool by which mdtest acts for it. */
export function callExecutor(tool: 'next_output' | 'write', input: Record<string, unknown>): ModelAction {
  return { kind: 'mcp', server: 'mdtest', tool, input }
}

/** One word of a command line. */
export function word(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Reports a step and each of its checks as passed, unless told otherwise. */
export function report(step: string, more: Readonly<Record<string, unknown>> = {}): ModelAction {
  const { checks = [], ...all } = passed(step)
  // What is quoted for a step is quoted for each of its checks.
  const quoted = checks.map((check) => ({ ...check, ...('evidence' in more && { evidence: more.evidence }) }))
  return callOwn('report_step', { ...all, checks: quoted, step, ...more })
}

/** Writes the result log, with this front matter. */
export function writeLog({ logFile }: Task, frontMatter: Readonly<Record<string, unknown>>, body = ''): ModelAction {
  return { kind: 'write', file: logFile, content: `---\n${JSON.stringify(frontMatter)}\n---\n${body}` }
}

/** Front matter in which all passed. */
export function passingLog({ runId, steps }: Task): Readonly<Record<string, unknown>> {
  return { status: 'pass', run: runId, steps: steps.map(({ id }) => ({ id, ...passed(id) })) }
}

function passed(step: string): {
  readonly status: string
  readonly observed: string
  readonly checks?: readonly object[]
} {
  const checks = step === listNotes ? [1, 2].map((n) => ({ n, status: 'pass', observed: 'as expected' })) : []
  return { status: 'pass', observed: 'as expected', checks }
}
