import { z } from 'zod'
import type { AgentEvent } from '../agent.ts'
import type { WaitingEvent } from '../own-events.ts'

const text = z.string()
const kindOf = <Kind extends string>(kind: Kind) => z.literal(kind)

/** What was done, as `DoneCall` has it; where the output of a command or of a tool is left out, its result has it. */
const doneCallSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: kindOf('command'),
    command: text,
    cwd: text,
    exitCode: z.number(),
    output: text.exactOptional(),
    isWhole: z.boolean(),
    isBackground: z.boolean(),
  }),
  z.object({
    kind: kindOf('edit'),
    file: text,
    content: text.exactOptional(),
    isGone: z.literal(true).exactOptional(),
  }),
  z.object({ kind: kindOf('read'), file: text, output: text.exactOptional() }),
  z.object({ kind: kindOf('report'), isAccepted: z.boolean() }),
  z.object({
    kind: kindOf('mcp'),
    server: text,
    tool: text,
    input: z.record(text, z.unknown()),
    output: text.exactOptional(),
    isError: z.boolean(),
  }),
  z.object({ kind: kindOf('aside') }),
  z.object({ kind: kindOf('other'), tool: text, isOfHelper: z.boolean() }),
  z.object({ kind: kindOf('untold'), command: text }),
  z.object({ kind: kindOf('refused') }),
])

export type ToldDoneCall = z.infer<typeof doneCallSchema>

/** What our program prints besides events: what a call did, to be repeated without the agent. */
const doneEventSchema = z.object({ type: z.literal('done'), id: text, calls: z.array(doneCallSchema).readonly() })

/** The agent's program, as it tells it itself. */
const programEventSchema = z.object({ type: z.literal('program'), version: text })

export type DoneEvent = z.infer<typeof doneEventSchema>

/** All that our program prints. */
export type AcpEvent = AgentEvent | WaitingEvent | DoneEvent | z.infer<typeof programEventSchema>

export const sessionEventSchemas = [doneEventSchema, programEventSchema] as const // a tuple, for a union
