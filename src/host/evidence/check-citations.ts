import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { placeIn, type Ground } from '../../system/files/trusted-folder.ts'
import { lookAt, readFileIn } from '../../system/files/read-file.ts'
import { RefusedError } from '../../system/files/file-errors.ts'
import { createQuoteFinder, shown, type FinderOptions, type Found } from './find-quote.ts'
import { maxKeptCharacters, maxOutputCharacters, type ToolOutput } from './kept-outputs.ts'
import { coarsestClockMs } from '../guard/file-state.ts'
import { errorCode } from '../../system/error-facts.ts'
import type { Evidence, StepResult } from '../../records/result-log/result-log.ts'
import type { Citation } from '../../verdict/verdict.ts'

export interface CitationContext extends FinderOptions {
  /** Outputs of calls that used the product. Reading the spec does not count: the spec contains the expected words. */
  readonly outputs: readonly ToolOutput[]
  readonly hidesOutputs?: boolean
  /** Whether outputs come from the agent's own program, which may shorten them. */
  readonly isToldByAgent?: boolean
  readonly droppedOutputs?: number
  readonly ground: Ground
  readonly isOwnFile?: (file: string) => boolean
  readonly evidenceDir: string
  readonly startedAtMs: number
  readonly reportedAtMs: number
  /** Line numbers of each step's checks, in order, because a report may name a check by its line. */
  readonly checkLines: ReadonlyMap<string, readonly number[]>
}

const maxCitations = 2_000

const notLookedAt: Found = {
  isFound: false,
  problem: `This citation was not looked at: only the first ${maxCitations} are. Cite less: one or two quotes for each step and check.`,
}

/** Checks all evidence that results cite: quotes, and files in the evidence folder. Never throws. */
export async function citationsIn(
  results: readonly StepResult[],
  context: CitationContext,
): Promise<readonly Citation[]> {
  const { outputs, reportedAtMs, hidesOutputs, droppedOutputs, lastReportAtMs = -Infinity } = context
  const findQuote = createQuoteFinder(
    outputs.filter(({ endedAtMs }) => endedAtMs <= reportedAtMs),
    context,
  )
  // A cut output also loses the lines at the cut, so it may be shorter than the limit.
  const cutFrom = context.isToldByAgent === true ? cutCharacters : maxOutputCharacters / 2
  const isCut = outputs.some(({ text }) => text.length >= cutFrom)
  const find = async (citation: Evidence): Promise<Found> => {
    if (typeof citation === 'string') return findFile(citation, context)
    const found = await findQuote(citation)
    if (found.isFound) return found
    const untold = `The cited quote ${shown(citation.quote)} cannot be checked: the agent does not show what its commands print. Have mdtest execute (\`executor: mdtest\`), or use another agent.`
    if (hidesOutputs) return { isFound: true, atMs: reportedAtMs, problem: untold }
    return { ...found, problem: `${found.problem}${describeDropped(droppedOutputs)}${isCut ? cut : ''}` }
  }
  const citations: Citation[] = []
  for (const { citation, ...place } of results.flatMap((result) => citedIn(result, context.checkLines))) {
    const { isFound, atMs = Infinity, problem } = citations.length < maxCitations ? await find(citation) : notLookedAt
    const isFile = typeof citation === 'string'
    citations.push({
      ...place,
      kind: isFile ? 'file' : 'quote',
      what: isFile ? citation : citation.quote,
      found: isFound,
      isEarlier: atMs <= lastReportAtMs,
      ...(problem !== undefined && { problem }),
    })
  }
  return citations
}

function citedIn({ id: stepId, evidence = [], checks = [] }: StepResult, checkLines: CitationContext['checkLines']) {
  const lines = checkLines.get(stepId) ?? []
  const ofChecks = checks.flatMap(({ n, line, evidence: cited = [] }) => {
    const check = n ?? (line === undefined ? 0 : lines.indexOf(line) + 1)
    return cited.map((citation) => ({ stepId, citation, ...(check > 0 && { check }) }))
  })
  return [...evidence.map((citation) => ({ stepId, citation })), ...ofChecks]
}

function describeDropped(count = 0): string {
  if (count === 0) return ''
  const megabytes = maxKeptCharacters / 1024 / 1024
  return ` The output of ${count} earlier calls was dropped: only the last ${megabytes} MiB of a scenario are kept. Print less, or save it in the evidence folder and cite the file.`
}

/** From this length on, an agent's program may have shortened the output. */
const cutCharacters = 2_000
const cut =
  ' The record of a long output may be cut: have mdtest execute (`executor: mdtest`), look in a `verify` block, or print less.'

function findFile(name: string, { ground, evidenceDir, startedAtMs, isOwnFile }: CitationContext): Found {
  const missing = (why: string): Found => ({ isFound: false, problem: `The cited file \`${name}\` ${why}` })
  if (!isRelativeName(name))
    return missing(`is not a file name. Save the file in the evidence folder \`${evidenceDir}\` and cite its name.`)
  if (lookAt(ground, evidenceDir)?.isDirectory() === false)
    return missing(`cannot be in \`${evidenceDir}\`, which is no folder of its own.`)
  try {
    // A link is allowed if its target is in the evidence folder. Links inside the target's path are not followed.
    const folder = placeIn(ground, evidenceDir).path
    const file = realpathSync.native(join(folder, name))
    if (!isInside(file, folder)) return missing(`leads out of the evidence folder \`${evidenceDir}\`.`)
    const [stats, reading] = [lookAt(ground, file), readFileIn(ground, file, 0)]
    if (stats === undefined) return missing(`is not in \`${evidenceDir}\`.`)
    if (!reading.ok && reading.why === 'unreadable') return missing(`cannot be read (${reading.errorCode}).`)
    if (!stats.isFile()) return missing('is not a regular file.')
    if (stats.size === 0) return missing('is empty.')
    if (stats.mtimeMs < startedAtMs - coarsestClockMs) return missing('is older than this run.')
    const own = `The cited file \`${name}\` holds words of your own, so it proves nothing. Save what the product prints, or quote it.`
    return { isFound: true, atMs: stats.mtimeMs, ...(isOwnFile?.(file) && { problem: own }) }
  } catch (error: unknown) {
    if (error instanceof RefusedError) return missing(`cannot be evidence: ${error.message}.`)
    const code = errorCode(error) ?? 'unknown error'
    return missing(code === 'ENOENT' ? `is not in \`${evidenceDir}\`.` : `cannot be read (${code}).`)
  }
}

/** Rejects absolute paths and `..`. A backslash counts as a separator, as on Windows. */
function isRelativeName(name: string): boolean {
  return name.trim() !== '' && !/^[/\\~]|^[A-Za-z]:|\0/.test(name) && !name.split(/[/\\]/).includes('..')
}
