import type { StepResult } from '../result-log/result-log.ts'
import type { Citation } from '../verdict/verdict.ts'
import { checkCitations, type CheckedCitation, type CitationContext } from './check-citations.ts'

/** Lines of the checks of a step in the spec, in order: a report may name a check by its line. */
export type CheckLines = ReadonlyMap<string, readonly number[]>

/** Looks up all that a report cites, for its step and for each of its checks. */
export async function citationsIn(
  result: StepResult,
  { checkLines, ...context }: CitationContext & { readonly checkLines: CheckLines },
): Promise<readonly Citation[]> {
  const lines = checkLines.get(result.id) ?? []
  const ofStep = await checkCitations(result.evidence ?? [], context)
  const ofChecks = (result.checks ?? []).map(async ({ n, line, evidence = [] }) => {
    const check = n ?? (line === undefined ? 0 : lines.indexOf(line) + 1)
    const checked = await checkCitations(evidence, context)
    return checked.map((one) => ({ ...toCitation(result.id, one), ...(check > 0 && { check }) }))
  })
  return [...ofStep.map((one) => toCitation(result.id, one)), ...(await Promise.all(ofChecks)).flat()]
}

function toCitation(stepId: string, { citation, isFound, isEarlier, problem }: CheckedCitation): Citation {
  const named =
    typeof citation === 'string'
      ? { kind: 'file' as const, what: citation } // one of two kinds
      : { kind: 'quote' as const, what: citation.quote } // the other one
  return { stepId, ...named, found: isFound, isEarlier, ...(problem !== undefined && { problem }) }
}
