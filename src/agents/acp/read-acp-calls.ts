import { z } from 'zod'
import type { DoneCall, KeptSession } from '../done-call.ts'
import { ownEventSchemas } from '../own-events.ts'
import { sessionEventSchemas, type ToldDoneCall } from './acp-session-events.ts'

const event = z.discriminatedUnion('type', [...ownEventSchemas, ...sessionEventSchemas])

/** What an agent did, in the order in which its calls began: all of it stands in the output of our program. Never throws. */
export function readAcpCalls({ stream }: KeptSession): readonly DoneCall[] {
  const begun = new Map<string, readonly DoneCall[]>()
  const outputs = new Map<string, string>()
  for (const entry of stream.flatMap(parse)) {
    // Until more is known of it.
    if (entry.type === 'tool-call') begun.set(entry.id, [unfinished(entry)])
    if (entry.type === 'denial') begun.set(entry.id, [{ kind: 'refused' }])
    if (entry.type === 'tool-result') outputs.set(entry.id, entry.output)
    if (entry.type === 'done')
      begun.set(
        entry.id,
        entry.calls.map((call) => withOutput(call, outputs.get(entry.id) ?? '')),
      )
  }
  return [...begun.values()].flat()
}

function unfinished({ kind, tool, title }: { kind: string; tool: string; title: string }): DoneCall {
  return kind === 'command' ? { kind: 'unfinished', command: title } : { kind: 'other', tool, isOfHelper: false }
}

function withOutput(call: ToldDoneCall, output: string): DoneCall {
  return call.kind === 'command' || call.kind === 'read' || call.kind === 'mcp'
    ? { ...call, output: call.output ?? output }
    : call
}

function parse(line: string): readonly z.infer<typeof event>[] {
  try {
    const parsed = event.safeParse(JSON.parse(line))
    return parsed.success ? [parsed.data] : []
  } catch {
    return [] // A torn line.
  }
}
