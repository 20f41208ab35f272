import { relative } from 'node:path'
import type { Terminal } from '../exec/pty/terminal.ts'
import type { Conclusion, Recording } from '../result-log/verdict-record.ts'
import { formatElapsed } from '../shared/format-elapsed.ts'
import { plainLine } from '../shared/plain-text.ts'
import type { ScenarioRequest } from './protocol.ts'

/** Where agents are shown in their own interface, one after the other. */
export interface AgentTerminal {
  readonly terminal: Terminal
  /** Absolute paths of the specs of the run, in order. */
  readonly specs: readonly string[]
  /** Who sits there wants the run to end. */
  onInterrupt(): void
}

type Place = Pick<ScenarioRequest, 'specFile' | 'root' | 'title'>

/** Says which agent is about to have the terminal, and for what. */
export function sayBegin(agent: string, place: Place, { terminal, specs }: AgentTerminal): void {
  const number = specs.indexOf(place.specFile) + 1
  const count = number === 0 ? '' : ` (spec ${number} of ${specs.length})`
  terminal.say(`mdtest: ${agent} carries out ${nameOf(place)}${count}`)
}

interface Ended extends Pick<Conclusion, 'outcome'> {
  readonly durationMs: number
  readonly recording?: Recording | undefined
}

/** Says what became of it. */
export function sayEnd(
  agent: string,
  place: Place,
  { terminal, outcome, durationMs, recording }: AgentTerminal & Ended,
): void {
  terminal.say(`mdtest: ${agent} is done with ${nameOf(place)} after ${formatElapsed(durationMs)}: ${outcome}`)
  if (recording && 'dropped' in recording) {
    terminal.say(`mdtest: the recording of it is dropped: ${plainLine(recording.dropped)}`)
  }
}

/** Spec and scenario, in one line. */
export function nameOf({ specFile, root, title }: Place): string {
  return plainLine(`${relative(root, specFile)} > ${title}`)
}
