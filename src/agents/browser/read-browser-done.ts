import type { DoneCall } from '../done-call.ts'
import type { CalledEvent } from '../own-events.ts'
import { ownServer } from '../report-access.ts'

/** What the browser did, in one line of the output of its agent. Never throws. */
export function readBrowserDone(line: string): readonly DoneCall[] {
  if (!line.startsWith('{"type":"called"')) return []
  const call = parse(line)
  if (call === undefined) return []
  const { type: _type, ...told } = call
  const isReport = call.server === ownServer && call.tool === 'report_step'
  return [isReport ? { kind: 'report', isAccepted: !call.isError } : { kind: 'mcp', ...told }]
}

function parse(line: string): CalledEvent | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // A torn line.
  }
}
