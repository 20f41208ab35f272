import { readInstructions, type SpecSection } from './read-spec-text.ts'
import type { Task } from './read-task.ts'

/** The scenarios of an OpenSpec spec that the task asks for: each `THEN`, and each `AND` behind it, is a check. */
export function readClauses(text: string, { steps }: Task): readonly SpecSection[] {
  const sections = text.split(/^(?=#{1,6} )/m)
  return steps.map(({ id, title }) => {
    const body = sections.find((section) => section.startsWith(`#### Scenario: ${title}\n`)) ?? ''
    let isOutcome = false
    const checkOf = (line: string): string | undefined => {
      const [, word, clause] = /^- \*\*(GIVEN|WHEN|THEN|AND)\*\* (.+)$/.exec(line) ?? []
      if (word !== undefined && word !== 'AND') isOutcome = word === 'THEN'
      return isOutcome ? clause : undefined
    }
    return { id, ...readInstructions(unwrapped(body), checkOf) }
  })
}

/** A line for each bullet. */
function unwrapped(body: string): string {
  return body.replace(/\n {2}(?=\S)/g, ' ')
}
