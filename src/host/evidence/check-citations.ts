import { realpathSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { placeIn, type Ground } from '../../system/files/ground.ts'
import { checkFile, lookAt } from '../../system/files/read-file.ts'
import { RefusedError } from '../../system/files/file-errors.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import { createQuoteFinder, type CitedQuote, type FoundQuote, type Quote } from './find-quote.ts'
import type { OwnWords } from './own-words.ts'
import * as say from './quote-problems.ts'
import { maxKeptCharacters, type ToolOutput } from './kept-outputs.ts'
import { errorCode } from '../../system/error-facts.ts'

/** What a report cites as evidence: a file of the evidence folder, or words that a tool call printed. */
export type Citation = string | Quote

/** One citation, checked. */
export interface CheckedCitation {
  readonly citation: Citation
  readonly isFound: boolean
  /** Whether it is older than the last report, so that it may belong to an earlier step. */
  readonly isEarlier: boolean
  /** Why it is no evidence, found or not, and what to do. */
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
  /** Of the log folder. */
  readonly ground: Ground
  /** Default: the agent has none. */
  readonly ownWords?: Pick<OwnWords, 'hold'> | undefined
  /**
   * Whether a file (absolute path, links resolved) holds words of the agent's own.
   * @default none does
   */
  readonly isOwnFile?: (file: string) => boolean
  /** Absolute path; the folder may be missing. */
  readonly evidenceDir: string
  readonly startedAtMs: number
  readonly reportedAtMs: number
  /** Takes secrets out of what a problem quotes. Default: nothing is taken out. */
  readonly redact?: Redact
  /** Absent for the first report of a scenario. */
  readonly lastReportAtMs?: number
  /**
   * Quotes that reports before this one have cited.
   * @default []
   */
  readonly cited?: readonly CitedQuote[]
}

/**
 * Checks the citations of a report. The name of a file is relative to the evidence folder. With links resolved the file
 * is in that folder, regular, readable, not empty, and not older than the agent's start. For quotes see
 * `createQuoteFinder`. Citations after the first `maxCitations` are not checked and prove nothing. Never throws for
 * anything that an agent cites.
 */
export async function checkCitations(
  citations: readonly Citation[],
  context: CitationContext,
): Promise<readonly CheckedCitation[]> {
  const findQuote = createQuoteFinder(
    context.outputs.filter(({ endedAtMs }) => endedAtMs <= context.reportedAtMs),
    context,
  )
  const find = async (citation: Citation): Promise<FoundQuote> => {
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

/** How many citations of one report, or of one result log, are checked. */
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
