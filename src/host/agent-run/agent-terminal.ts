import { relative } from 'node:path'
import type { CliAgent } from '../../agents/agent.ts'
import type { Terminal } from '../../system/terminal/terminal.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import { stripVTControlCharacters } from 'node:util'
import { formatElapsed } from '../../system/text/wording.ts'

/** Where agents are shown in their own interface, one after the other. */
export interface AgentTerminal {
  readonly terminal: Terminal
  readonly specs: readonly string[]
  /** The user at the terminal wants the run to end. */
  onInterrupt(): void
}

type Place = Pick<ScenarioRequest, 'specFile' | 'root' | 'title'>

/** Prints which agent starts on which scenario, and whether it takes the terminal. */
export function printStart(
  { name, interface: shown }: Pick<CliAgent, 'name' | 'interface'>,
  place: Place,
  { terminal, specs }: AgentTerminal,
): void {
  const number = specs.indexOf(place.specFile) + 1
  const count = number === 0 ? '' : ` (spec ${number} of ${specs.length})`
  const how = shown === undefined ? ', without an interface of its own' : ''
  terminal.say(`mdtest: ${name} carries out ${nameOf(place)}${count}${how}`)
}

interface Ended extends Pick<ScenarioVerdict, 'outcome'> {
  readonly durationMs: number
  /** What kept the agent from starting: the rest of a sentence that begins with its name. */
  readonly question: string | undefined
}

/** Prints how the scenario ended. */
export function printEnd(
  agent: string,
  place: Place,
  { terminal, outcome, durationMs, question }: AgentTerminal & Ended,
): void {
  const why = question === undefined ? '' : `. It ${question}`
  terminal.say(`mdtest: ${agent} is done with ${nameOf(place)} after ${formatElapsed(durationMs)}: ${outcome}${why}`)
}

/** Spec and scenario, in one line. */
function nameOf({ specFile, root, title }: Place): string {
  return plainLine(`${relative(root, specFile)} > ${title}`)
}

/**
 * The question that kept an agent from starting: the rest of a sentence that begins with its name.
 *
 * @param output the end of what it printed
 */
export function firstQuestionIn(output: string, agent: Pick<CliAgent, 'interface'>): string | undefined {
  const text = stripVTControlCharacters(output).replaceAll(/\s/g, '')
  return agent.interface?.firstQuestions.find(({ pattern }) => pattern.test(text))?.message
}
