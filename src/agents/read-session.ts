import { join } from 'node:path'
import { readForeignFile } from '../system/files/read-file.ts'
import type { CliAgent } from './agent.ts'
import { AgentTranscript, type CallUsage } from './agent-transcript.ts'

interface Program {
  readonly agent: CliAgent
  readonly env: Readonly<Record<string, string>>
}

/** Name of the raw log in the folder of a call. */
export const rawLogName = 'raw.log'

/** What a call used, with what the program's transcript knows besides. */
export function readUsage(transcript: AgentTranscript, program: Program): CallUsage {
  return transcript.usageWith(transcript.isComplete ? undefined : readSession(transcript, program))
}

/**
 * What the program's own transcript of a session says: more than its stream, and it is there when the stream was cut off.
 * `undefined` where there is none.
 */
function readSession(
  { sessionId }: Pick<AgentTranscript, 'sessionId'>,
  { agent, env }: Program,
): AgentTranscript | undefined {
  const program = agent.interface
  if (program === undefined || sessionId === undefined) return undefined
  const file = program.findSession({ sessionId, env })
  if (file === undefined) return undefined
  const transcript = new AgentTranscript()
  for (const line of linesOf(file)) {
    for (const event of program.readTranscript(line)) transcript.onEvent(event)
  }
  return transcript
}

/** What a call used whose caller was killed, by what it left in its folder. */
export function readCall(folder: string, program: Program): CallUsage {
  const transcript = new AgentTranscript()
  const file = join(folder, rawLogName)
  for (const line of linesOf(file)) {
    if (!line.startsWith('out| ')) continue
    for (const event of program.agent.readEvents(line.slice('out| '.length))) transcript.onEvent(event)
  }
  return readUsage(transcript, program)
}

/** Strings cannot be longer. */
const maxBytes = 512 * 1024 * 1024

function linesOf(file: string): readonly string[] {
  return readForeignFile(file, maxBytes)?.toString('utf8').split('\n') ?? []
}
