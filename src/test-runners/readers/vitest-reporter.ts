import { appendFileSync } from 'node:fs'
import type { VitestLine } from '../templates/vitest-and-jest.ts'

type TaskError = Partial<Record<'message' | 'stack' | 'diff', string>>

/** A test, group or file in Vitest 1 to 5. Only a file has a path. */
interface Task {
  readonly type: string
  readonly name: string
  readonly mode?: string
  readonly filepath?: string
  readonly suite?: Task
  readonly file?: Task
  readonly result?: {
    readonly state: string
    readonly errors?: readonly TaskError[]
  }
}

interface Vitest {
  readonly config: { readonly outputFile?: string | { readonly json?: string } }
  readonly state: { readonly idMap: ReadonlyMap<string, Task> }
}

/** A reporter that Vitest loads. It writes each state at once, because a killed Vitest writes no report. */
export default class {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  /** Vitest 3 and later call this before they load a file. */
  onTestModuleQueued({ moduleId: name }: { readonly moduleId: string }): void {
    this.#write([{ name, status: 'run', assertionResults: [] }])
  }

  /** Vitest before 3 calls this in place of `onTestModuleQueued`. */
  onCollected(files: readonly Task[] = []): void {
    this.#write(files.map(taskLine))
  }

  onTaskUpdate(packs: readonly (readonly [id: string, ...unknown[]])[]): void {
    const tasks = packs.flatMap(([id]) => this.#vitest?.state.idMap.get(id) ?? [])
    this.#write(tasks.filter(({ type, filepath }) => type !== 'suite' || filepath !== undefined).map(taskLine))
  }

  #write(lines: readonly VitestLine[]): void {
    const { outputFile } = this.#vitest?.config ?? {}
    const file = typeof outputFile === 'object' ? outputFile.json : outputFile
    if (file === undefined) return
    appendFileSync(`${file}l`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
}

function taskLine({ name, mode, filepath, file, result, suite }: Task): VitestLine {
  // Skipped tests have no result.
  const isSkipped = mode === 'skip' || mode === 'todo'
  const { state: status = isSkipped ? 'skip' : 'run', errors = [] } = result ?? {}
  const failureMessages = errors.flatMap((error) => [withMessage(error), ...(error.diff ? [error.diff] : [])])
  const message = failureMessages.join('\n')
  if (filepath !== undefined)
    return { name: filepath, status: message === '' ? status : 'failed', message, assertionResults: [] }
  const ancestorTitles: string[] = []
  for (let group = suite; group !== undefined && group.filepath === undefined; group = group.suite)
    ancestorTitles.unshift(group.name)
  const told = { pass: 'passed', fail: 'failed' }[status] ?? status
  const test = { ancestorTitles, title: name, status: told, failureMessages }
  return { name: file?.filepath ?? '', status: '', assertionResults: [test] }
}

/** The stack of a test that exceeded its time limit begins with `Error: STACK_TRACE_ERROR`, not with the message. */
function withMessage({ stack = '', message = '' }: TaskError): string {
  return stack.includes(message) ? stack || message : `${message}\n${stack.replace(/^.*?(?=^ +at )/ms, '')}`
}
