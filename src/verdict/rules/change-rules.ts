import { fail } from './rule.ts'
import type { Rule } from './rule.ts'

/** The specification changed under the agent's hands, so nobody knows what was carried out. */
export const specModified: Rule = ({ step, evidence: { agent } }) => {
  if (agent === undefined || agent.modifiedSpecFiles.length === 0) return []
  const message = `The spec changed while the agent ran: ${list(agent.modifiedSpecFiles)}. Undo the change and run it again.`
  return [fail('SPEC_MODIFIED', message, step)]
}

/** The product, or what it is checked with, was changed by the agent: what passes now is not what was to be tested. */
export const sourceModified: Rule = ({ step, evidence: { agent } }) => {
  const modified = (agent?.modifiedSources ?? []).filter(({ stepId = step.id }) => stepId === step.id)
  const files = [...new Set(modified.map(({ file }) => file))]
  if (files.length === 0) return []
  const message = `The agent changed what it was to test: ${list(files)}. Undo the change; where the test is meant to write there, name it in \`writes:\` in the spec's front matter. If something else wrote there meanwhile, run the spec alone.`
  return [fail('SOURCE_MODIFIED', message, step)]
}

const maxNamed = 10

function list(files: readonly string[]): string {
  const named = files.slice(0, maxNamed).map((file) => `\`${file}\``)
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : ''
  return `${named.join(', ')}${more}`
}
