import * as say from './quote-problems.ts'
import { realpathSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { placeIn, type Ground } from '../../system/files/ground.ts'
import { checkFile, lookAt } from '../../system/files/read-file.ts'
import { RefusedError } from '../../system/files/file-errors.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import { createQuoteFinder, type CitedQuote, type FoundQuote } from './find-quote.ts'
import type { OwnWords } from './own-words.ts'
import { maxKeptCharacters, type ToolOutput } from './kept-outputs.ts'
import { errorCode } from '../../system/error-facts.ts'
import type { Evidence, StepResult } from '../../records/result-log/result-log.ts'
import type { Citation } from '../../verdict/verdict.ts'

export interface CheckedCitation {
  readonly citation: Evidence
  readonly isFound: boolean
  /** Whether it is older than the last report, so that it may belong to an earlier step. */
  readonly isEarlier: boolean
  readonly problem?: string
}

/** What citations are checked against. Times are milliseconds since 1970. */
export interface CitationContext {
  /**
   * Outputs of the scenario's tool calls, at most 1 MiB each. Those that are no activity (reading the spec, writing
   * the log) must not be among them: the spec holds what is expected word for word.
   */
  readonly outputs: readonly ToolOutput[]
  /** Whether the agent does not tell what its commands print. Default: it does. */
  readonly hidesOutputs?: boolean
  /** How many older outputs were dropped. Default: none. */
  readonly droppedOutputs?: number
  readonly ground: Ground
  readonly ownWords?: Pick<OwnWords, 'hold'> | undefined
  /** Whether a file (absolute path, links resolved) holds words of the agent's own. Default: none does. */
  readonly isOwnFile?: (file: string) => boolean
  readonly evidenceDir: string
  readonly startedAtMs: number
  readonly reportedAtMs: number
  readonly redact?: Redact
  readonly lastReportAtMs?: number
  readonly cited?: readonly CitedQuote[]
}

/**
 * Checks the citations of a report. The name of a file is relative to the evidence folder. With links resolved the file
 * is in that folder, regular, readable, not empty, and not older than the agent's start. For quotes see
 * `createQuoteFinder`. Citations after the first `maxCitations` are not checked and prove nothing. Never throws for
 * anything that an agent cites.
 */
export async function checkCitations(
  citations: readonly Evidence[],
  context: CitationContext,
): Promise<readonly CheckedCitation[]> {
  const findQuote = createQuoteFinder(
    context.outputs.filter(({ endedAtMs }) => endedAtMs <= context.reportedAtMs),
    context,
  )
  const find = async (citation: Evidence): Promise<FoundQuote> => {
    if (typeof citation === 'string') return findFile(citation, context)
    const found = await findQuote(citation)
    if (!found.isFound && context.hidesOutputs)
      return { isFound: true, atMs: context.reportedAtMs, problem: say.untold(citation.quote) }
    return found.isFound ? found : { ...found, problem: `${found.problem}${letGo(context.droppedOutputs)}` }
  }
  const checked: CheckedCitation[] = []
  // One after the other: there may be hundreds.
  for (const citation of citations) {
    const found = checked.length < maxCitations ? await find(citation) : notLookedAt
    if (!found.isFound) checked.push({ citation, isFound: false, isEarlier: false, problem: found.problem })
    else {
      const isEarlier = found.atMs <= (context.lastReportAtMs ?? -Infinity)
      checked.push({
        citation,
        isFound: true,
        isEarlier,
        ...(found.problem !== undefined && { problem: found.problem }),
      })
    }
  }
  return checked
}

const maxCitations = 2_000

const notLookedAt = {
  isFound: false,
  problem: `This citation was not looked at: only the first ${maxCitations} are. Cite less: one or two quotes for each step and check.`,
} as const // one of two kinds

function letGo(count = 0): string {
  if (count === 0) return ''
  const megabytes = maxKeptCharacters / 1024 / 1024
  return ` What ${count} earlier calls printed was let go: the last ${megabytes} MiB of a scenario are kept. Print less, or save it in the evidence folder and cite the file.`
}

/** File systems keep times as coarse as this, in milliseconds. */
const toleranceMs = 2_000

function findFile(name: string, { ground, evidenceDir, startedAtMs, isOwnFile }: CitationContext): FoundQuote {
  if (!isRelativeName(name)) {
    return missing(
      name,
      `is not a file name. Save the file in the evidence folder \`${evidenceDir}\` and cite its name.`,
    )
  }
  const cannotBe = `cannot be in \`${evidenceDir}\`, which is no folder of its own.`
  if (lookAt(ground, evidenceDir)?.isDirectory() === false) return missing(name, cannotBe)
  try {
    // A link within the folder is fine. Its target is read without following links.
    const folder = placeIn(ground, evidenceDir).path
    const file = realpathSync.native(join(folder, name))
    if (!isInside(file, folder)) return missing(name, `leads out of the evidence folder \`${evidenceDir}\`.`)
    const stats = checkFile(ground, file)
    const problem = problemOf(stats, startedAtMs)
    if (problem !== undefined) return missing(name, problem)
    const atMs = stats.mtimeMs
    return isOwnFile?.(file) === true ? { isFound: true, atMs, problem: say.ownFile(name) } : { isFound: true, atMs }
  } catch (error: unknown) {
    if (error instanceof RefusedError) return missing(name, `cannot be evidence: ${error.message}.`)
    const code = errorCode(error) ?? 'unknown error'
    return missing(name, code === 'ENOENT' ? `is not in \`${evidenceDir}\`.` : `cannot be read (${code}).`)
  }
}

/** A backslash separates folders on Windows. */
function isRelativeName(name: string): boolean {
  return name.trim() !== '' && !/^[/\\~]|^[A-Za-z]:|\0/.test(name) && !name.split(/[/\\]/).includes('..')
}

function problemOf(stats: Stats, startedAtMs: number): string | undefined {
  if (!stats.isFile()) return 'is not a regular file.'
  if (stats.size === 0) return 'is empty.'
  if (stats.mtimeMs < startedAtMs - toleranceMs) return 'is older than this run.'
  return undefined
}

function missing(name: string, why: string): FoundQuote {
  return { isFound: false, problem: `The cited file \`${name}\` ${why}` }
}

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
