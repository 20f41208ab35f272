import type { StepReport, StepResult } from '../../records/result-log/result-log.ts'
import { cutLine } from '../../system/text/plain-text.ts'

/** What one report may hold: far more than an agent says, and little enough to be looked at at once. */
const reportLimits = {
  /** Files and quotes, of the step and of all its checks. */
  citations: 500,
  /** Of a quote or the name of a file, like the next in UTF-16 code units. */
  citationCharacters: 10_000,
  observedCharacters: 10_000,
  checks: 1_000,
}

/** What is over a limit, and what to do; nothing where all is within them. */
export function overLimit({ observed, evidence = [], checks = [] }: StepResult): string | undefined {
  const { citations, citationCharacters, observedCharacters } = reportLimits
  const cited = [...evidence, ...checks.flatMap((check) => check.evidence ?? [])]
  if (checks.length > reportLimits.checks) {
    return `it has ${checks.length} checks, more than ${reportLimits.checks}. Report the checks of the step, each once.`
  }
  if (cited.length > citations) {
    return `it cites ${cited.length} files and quotes, more than ${citations}; none was looked at. Cite one or two for the step and for each check.`
  }
  if (cited.some((one) => (typeof one === 'string' ? one : one.quote).length > citationCharacters)) {
    return `a citation has more than ${citationCharacters} characters; none was looked at. Quote a line, or save the text in the evidence folder and cite the file.`
  }
  if ([observed, ...checks.map((check) => check.observed)].some((text = '') => text.length > observedCharacters)) {
    return `an \`observed\` has more than ${observedCharacters} characters. Say in one sentence what you saw.`
  }
  return undefined
}

/** Repetitions say nothing new, and an agent may go on with them for ever. */
const maxRefused = 100

/** Reports that were refused: each different one once, without what it cites. */
export class RefusedReports {
  readonly #all = new Map<string, StepReport>()

  get all(): readonly StepReport[] {
    return [...this.#all.values()]
  }

  add({ id, status, observed = '', checks = [], at }: StepReport): void {
    // Reports that are not kept must not speak for the agent: the last one that is kept speaks against it.
    const isLast = this.#all.size === maxRefused
    const result: StepResult = {
      id: cutLine(id, 500),
      status: isLast ? 'fail' : status,
      observed: isLast ? tooMany : cutLine(observed, 500),
      // Checks that did not pass come first: no limit drops them before others.
      checks: checks
        .toSorted((a, b) => Number(a.status === 'pass') - Number(b.status === 'pass'))
        .slice(0, reportLimits.checks)
        .map(({ n, line, status: of }) => ({ ...(n && { n }), ...(line && { line }), status: of })),
    }
    const text = JSON.stringify(result)
    if (this.#all.size <= maxRefused && !this.#all.has(text)) this.#all.set(text, { ...result, at })
  }
}

const tooMany = 'So many reports of the agent were refused that they were not looked at any more.'
