import type { StepResult } from '../../records/result-log/result-log.ts'
import type { Citation } from '../../verdict/verdict.ts'
import { checkCitations, type CheckedCitation, type CitationContext } from './check-citations.ts'

/** By step, the lines of its checks in the spec, in order. A report may name a check by its line. */
export type CheckLines = ReadonlyMap<string, readonly number[]>

/** Checks all that reports cite for steps and checks. The limits hold for all of it together. */
export async function citationsIn(
  results: readonly StepResult[],
  { checkLines, ...context }: CitationContext & { readonly checkLines: CheckLines },
): Promise<readonly Citation[]> {
  const cited = results.flatMap((result) => citedIn(result, checkLines.get(result.id) ?? []))
  const checked = await checkCitations(
    cited.map(({ citation }) => citation),
    context,
  )
  return cited.flatMap((place, index) => {
    const one = checked[index]
    return one === undefined ? [] : [toCitation(place, one)]
  })
}

/** A citation and what it is for. */
interface Cited {
  readonly stepId: string
  readonly citation: CheckedCitation['citation']
  /** Place of the check, counted from 1. */
  readonly check?: number
}

function citedIn({ id: stepId, evidence = [], checks = [] }: StepResult, lines: readonly number[]): readonly Cited[] {
  const ofChecks = checks.flatMap(({ n, line, evidence: cited = [] }) => {
    const check = n ?? (line === undefined ? 0 : lines.indexOf(line) + 1)
    return cited.map((citation) => ({ stepId, citation, ...(check > 0 && { check }) }))
  })
  return [...evidence.map((citation) => ({ stepId, citation })), ...ofChecks]
}

function toCitation({ stepId, check }: Cited, { citation, isFound, isEarlier, problem }: CheckedCitation): Citation {
  const named =
    typeof citation === 'string'
      ? { kind: 'file' as const, what: citation } // one of two kinds
      : { kind: 'quote' as const, what: citation.quote } // the other one
  const found = { found: isFound, isEarlier, ...(problem !== undefined && { problem }) }
  return { stepId, ...named, ...found, ...(check !== undefined && { check }) }
}
