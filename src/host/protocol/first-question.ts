import { stripVTControlCharacters } from 'node:util'
import type { CliAgent } from '../../agents/agent.ts'

/**
 * The question that kept an agent from beginning, as a part of a sentence behind its name.
 *
 * @param output the last that it printed, on a screen or not
 */
export function firstQuestionIn(output: string, agent: Pick<CliAgent, 'interface'>): string | undefined {
  const text = stripVTControlCharacters(output).replaceAll(/\s/g, '')
  return agent.interface?.firstQuestions.find(({ pattern }) => pattern.test(text))?.message
}
