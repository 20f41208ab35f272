import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { McpCall } from '../records/agent-call.ts'
import type { AgentEvent } from './agent.ts'
import { flagsWithoutDebugger, ownFile, refuseDebugger } from '../system/mdtest-package.ts'
import type { Command } from '../system/process/command.ts'
import { readEventLine } from './agent-events.ts'

/** A call by the agent `browser` with its whole answer, so that a recording can repeat the call without a model. */
export interface CalledEvent extends Omit<McpCall, 'kind' | 'step'> {
  readonly type: 'called'
}

/** An event that a program of mdtest prints as one line. `waiting` only shows that the program is alive. */
export type OwnEvent = AgentEvent | CalledEvent | { readonly type: 'waiting' }

/** The command of one of mdtest's own programs. The task goes to stdin, because every user can read command lines. */
export function ownProgram(name: `#${string}`, task: object | undefined): Pick<Command, 'argv' | 'input'> {
  const argv = [process.execPath, ...flagsWithoutDebugger(), ownFile(name)] as const
  return { argv, ...(task && { input: `${JSON.stringify(task)}\n` }) }
}

export interface OwnTask<Task> {
  readonly task: Task
  readonly signal: AbortSignal
  emit(event: OwnEvent): void
}

/** Reads the task of one of mdtest's own programs, one line on stdin; `undefined` if there is no line. */
export async function readOwnTask<Task>({ stdin, stdout }: NodeJS.Process): Promise<OwnTask<Task> | undefined> {
  refuseDebugger()
  const ending = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ending.abort(name))
  const lines = createInterface({ input: stdin, signal: ending.signal })[Symbol.asyncIterator]()
  const { done, value } = await lines.next()
  const emit = (event: OwnEvent): void => void stdout.write(`${JSON.stringify(event)}\n`)
  // No schema needed, because mdtest wrote this line.
  return done ? undefined : { task: JSON.parse(value), signal: ending.signal, emit }
}

const types = 'opened tool-call tool-result denial waiting text image tokens usage error end called'.split(' ')
const ownEvent = z.custom<OwnEvent>((line) => {
  const { type, ...more } = z.looseObject({ type: z.string() }).catch({ type: '' }).parse(line)
  // An `opened` event needs an id or a model.
  return types.includes(type) && Object.keys(more).length >= (type === 'opened' ? 1 : 0)
})

export function readOwnEvents(line: string): readonly AgentEvent[] {
  return readEventLine(line, ownEvent, (event) => (event.type === 'called' || event.type === 'waiting' ? [] : [event]))
}
