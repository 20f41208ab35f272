import { z } from 'zod'
import type { AgentEvent } from './agent.ts'
import { readEventLine } from './agent-events.ts'

/** A call by the agent `browser` with its whole answer, so that a recording can repeat it without a model. */
export interface CalledEvent {
  readonly type: 'called'
  readonly server: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly isError: boolean
  readonly output: string
}

/** An event that one of mdtest's own programs prints as one line. `waiting`: only a sign of life. */
export type OwnEvent = AgentEvent | CalledEvent | { readonly type: 'waiting' }

export function formatEvent(event: OwnEvent): string {
  return `${JSON.stringify(event)}\n`
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
