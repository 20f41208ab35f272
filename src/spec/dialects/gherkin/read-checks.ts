import { StepKeywordType, type Pickle, type PickleStep, type Step } from '@cucumber/messages'
import type { Check, Place } from '../../spec.ts'

/**
 * What a scenario is judged by: each `Then`, and what goes on behind one. Steps of a background are none.
 *
 * @param steps of the scenario, as written
 * @param pickle the same with the values of a row
 */
export function readChecks(steps: readonly Step[], pickle: Pickle): readonly (Check & Place)[] {
  const filled = new Map(pickle.steps.map((step) => [step.astNodeIds[0], step]))
  let isOutcome = false
  const outcomes = steps.filter(({ keywordType }) => {
    if (keywordType === StepKeywordType.OUTCOME) isOutcome = true
    // `*` is of no type of its own.
    else if (keywordType === StepKeywordType.CONTEXT || keywordType === StepKeywordType.ACTION) isOutcome = false
    return isOutcome
  })
  return outcomes.map(({ id, text, location: { line, column = 1 } }, index) => {
    const step = filled.get(id)
    return { n: index + 1, line, column, text: (step === undefined ? text : textOf(step)) || 'It is so' }
  })
}

/** With its doc string and its table on the same line. */
function textOf({ text, argument: { dataTable, docString } = {} }: PickleStep): string {
  const rows = dataTable?.rows.map(({ cells }) => cells.map(({ value }) => value).join(' | '))
  const parts = [
    ...(docString === undefined ? [] : [JSON.stringify(docString.content)]),
    ...(rows === undefined ? [] : [rows.join('; ')]),
  ]
  return parts.length === 0 ? text : `${text.replace(/:$/, '')}: ${parts.join(' and ')}`
}
