import { describeExit } from '../../system/text/describe-end.ts'
import { compareLines } from '../expected-output/compare-lines.ts'
import { readOutput } from '../expected-output/output-lines.ts'
import { acceptOutput } from './accept-output.ts'
import type { Comparison, Difference, StreamResult } from './comparison.ts'
import { describeStream } from './describe-stream.ts'

/** Undefined when exit code and all compared streams are as expected, or will be because they are rewritten. */
export function compareOutput(comparison: Comparison): Difference | undefined {
  const { what, redact, line, failure, expectedExitCode, actualExitCode, tail } = comparison
  const results = compareStreams(comparison)
  const isExitWrong = expectedExitCode !== actualExitCode
  if (!isExitWrong && results.every(({ result }) => result.status === 'match')) {
    for (const { result } of results) if (result.status === 'match') addAll(comparison.captures, result.captures)
    return undefined
  }
  const update = updateOutput(comparison, results)
  if (update.isDone) return undefined
  const problems = results.flatMap((result) => describeStream(result, { what, redact }) ?? [])
  const exitMessage = `${what} ${describeExit(actualExitCode)}, expected ${expectedExitCode}.`
  const parts = [
    ...(isExitWrong ? [[exitMessage, failure].filter((part) => part !== undefined).join(' ')] : []),
    ...problems.map(({ message }) => message),
    ...(problems.length === 0 && tail !== undefined && tail !== '' ? [tail] : []),
    ...(update.refusal === undefined ? [] : [update.refusal]),
  ]
  return {
    message: parts.join('\n\n'),
    line: (isExitWrong && failure !== undefined ? undefined : problems[0]?.line) ?? line,
    ...(!isExitWrong && { isOutputOnly: true }),
  }
}

/** In order, because a stream recalls the captures of the one before. */
function compareStreams({ streams, captures }: Comparison): readonly StreamResult[] {
  const known = new Map(captures)
  return streams.map((stream) => {
    const actual = readOutput(stream.printed, stream.reading)
    const result = compareLines(stream.expected, actual, { captures: known, form: stream.form })
    if (result.status === 'match') addAll(known, result.captures)
    return { stream, actual, result }
  })
}

interface UpdateResult {
  readonly isDone: boolean
  readonly refusal?: string | undefined
}

function updateOutput(comparison: Comparison, results: readonly StreamResult[]): UpdateResult {
  const { update, captures } = comparison
  if (update === undefined) return { isDone: false }
  const accepted = acceptOutput(comparison, results)
  if (!accepted.ok) return { isDone: false, refusal: accepted.refusal && `Not rewritten: ${accepted.refusal}` }
  const refusal = accepted.rewrites.map((rewrite) => update.refuse(rewrite)).find((reason) => reason !== undefined)
  if (refusal !== undefined) return { isDone: false, refusal: `Not rewritten: ${refusal}` }
  update.rewrites.push(...accepted.rewrites)
  addAll(captures, accepted.captures)
  return { isDone: true }
}

function addAll(to: Map<string, string>, from: ReadonlyMap<string, string>): void {
  for (const [name, value] of from) to.set(name, value)
}
