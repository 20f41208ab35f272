import { dirname, join } from 'node:path'
import { z } from 'zod'
import { createMark } from '../exec/marks.ts'
import type { CliAgent } from '../agents/agent.ts'
import { askAgent, type Answer } from '../agents/ask-agent.ts'
import { openCheckpoints, type Checkpoints } from '../checkpoint/checkpoints.ts'
import { makeFolder } from '../shared/files/write-file.ts'
import { isTestFile } from '../checkpoint/protected-files.ts'
import type { McpServers } from '../spec/mcp-servers.ts'
import { keepEvidenceFolder } from './evidence-folder.ts'
import { findForbidden } from './find-forbidden.ts'
import { describeFailures, fixAnswerSchema, fixPrompt } from './fix-prompt.ts'
import type { GateConfig } from './gate-config.ts'
import type { GateContext } from './gate-context.ts'
import type { FixAttempt } from './gate-results.ts'
import { areGreen, runGates, type GateRuns } from './run-gates.ts'

/** Who is asked to fix red gates, and what it may do. */
export interface Fixer {
  readonly agent: CliAgent
  /** From 1. */
  readonly maxAttempts: number
  readonly allow: readonly string[]
  readonly mcpServers: McpServers
  readonly dangerouslyAllowAllActions: boolean
  readonly allowTestEdits: boolean
  /** Of each attempt, in milliseconds. */
  readonly hardTimeoutMs: number
  readonly silenceTimeoutMs: number
}

export interface Fixed {
  readonly runs: GateRuns
  /** How often the gates were run in all. */
  readonly attempts: number
  readonly fixAttempts: readonly FixAttempt[]
}

interface Work {
  readonly config: GateConfig
  readonly fixer: Fixer
  readonly context: GateContext
}

/**
 * Has an agent fix what is red, and runs the gates again after each attempt: what it says of its work decides nothing. An
 * attempt that changes what judges it is undone.
 *
 * @throws MdtestError where the files cannot be kept or put back
 */
export async function fixGates(firstRuns: GateRuns, work: Work): Promise<Fixed> {
  const { fixer, context } = work
  const checkpoints = await openCheckpoints({
    root: context.root,
    folder: join(context.folder, 'checkpoints'),
    refPrefix: 'refs/mdtest/gate',
    env: context.env,
  })
  const fixAttempts: FixAttempt[] = []
  let runs = firstRuns
  let attempts = 1
  while (fixAttempts.length < fixer.maxAttempts && !areGreen(runs) && !context.signal.aborted) {
    const number = fixAttempts.length + 1
    context.onProgress(`fix ${number} of ${fixer.maxAttempts}: ${fixer.agent.name}`)
    const made = await attempt({ number, runs, run: attempts + 1, checkpoints }, work)
    if (made.newRuns !== undefined) attempts += 1
    const { result, summary } = made
    fixAttempts.push({ what_failed: describeFailures(runs), fix_applied: summary, result })
    if (result !== 'pass') context.onProgress(`fix ${number}: ${result}: ${summary}`)
    if (result !== 'rejected') runs = made.newRuns ?? runs
    if (made.isLast) break
  }
  return { runs, attempts, fixAttempts }
}

interface Attempt {
  /** From 1. */
  readonly number: number
  /** What is red. */
  readonly runs: GateRuns
  /** Number of the next run of the gates. */
  readonly run: number
  readonly checkpoints: Checkpoints
}

interface Made {
  readonly result: FixAttempt['result']
  readonly summary: string
  /** Of the gates, where they were run again. */
  readonly newRuns?: GateRuns
  /** Another attempt would end the same. */
  readonly isLast: boolean
}

async function attempt(attempted: Attempt, work: Work): Promise<Made> {
  const { number, runs, run, checkpoints } = attempted
  const { config, context, fixer } = work
  const [before, after] = [`before-${number}`, `after-${number}`] as const
  await checkpoints.take(before)
  const answer = await ask(attempted, work)
  keepEvidenceFolder(context.ground, dirname(context.folder))
  makeFolder(context.ground, context.folder)
  const moves = await checkpoints.restoreGit(before, `undone-${number}`)
  await checkpoints.take(after)
  const isLast = !answer.ok && ['auth', 'budget', 'limit', 'canceled'].includes(answer.cause)
  const paths = await checkpoints.changes(before, after)
  const judges = await findForbidden(paths, { checkpoints, before, after, config, runs, root: context.root })
  const forbidden = [...(fixer.allowTestEdits ? [] : judges), ...moves]
  if (forbidden.length > 0) {
    return { ...(await undo(`It changed ${forbidden.join(', ')}`, attempted)), isLast }
  }
  const changes = paths.length === 0 ? 'No file changed.' : `Changed: ${paths.join(', ')}.`
  const summary = `${wordsOf(answer)} ${changes}`
  if (!answer.ok && paths.length === 0) return { result: 'error', summary, isLast }
  const newRuns = await runGates(config.commands, { run, context })
  const lost = lostTests(runs, { current: newRuns, areTestsAdded: paths.some(isTestFile) })
  if (lost !== undefined && !fixer.allowTestEdits) return { ...(await undo(lost, attempted)), newRuns, isLast }
  return { result: areGreen(newRuns) ? 'pass' : 'fail', summary, newRuns, isLast }
}

async function undo(why: string, { number, checkpoints }: Attempt): Promise<Pick<Made, 'result' | 'summary'>> {
  await checkpoints.restore(`before-${number}`, `undone-${number}`)
  const place = checkpoints.place(`undone-${number}`)
  return { result: 'rejected', summary: `${why}; all was undone and is kept in ${place}.` }
}

/** Some languages have tests within the code: those that are gone or skipped are seen by their number alone. */
function lostTests(
  old: GateRuns,
  { current, areTestsAdded }: { readonly current: GateRuns; readonly areTestsAdded: boolean },
): string | undefined {
  const [before, now] = [old, current].map(({ test }) => test?.results.counts)
  if (!before || !current.test?.isPass) return undefined
  // Go does not tell of tests that passed. Else code that ends the runner with exit code 0 looks like that.
  if (!now && /^ok {2}\t\S/m.test(current.test.tail)) return undefined
  if (!now) return 'The output does not tell any more how many tests were executed'
  const [executed, left] = [before.total - before.skipped, now.total - now.skipped]
  if (left < executed) return `Of ${executed} tests only ${left} were executed afterwards`
  // New ones come on top of the old: as many as before means that old ones were left out.
  return areTestsAdded && left === executed ? `Tests were added, and still only ${left} were executed` : undefined
}

async function ask({ number, runs }: Pick<Attempt, 'number' | 'runs'>, { fixer, context }: Work): Promise<Answer> {
  const { root, ground, trees, runMark, env, signal, redactor } = context
  const folder = join(context.folder, `fix-${number}`)
  makeFolder(ground, folder)
  return await askAgent({
    ...fixer,
    prompt: fixPrompt(runs, fixer),
    schema: fixAnswerSchema,
    cwd: root,
    env,
    network: false,
    folder,
    ground,
    privateFolder: trees.makeTempDir(),
    redactor,
    launcher: await trees.launcher(),
    mark: createMark(),
    runMark,
    signal,
  })
}

const answerSchema = z.object({ fix_applied: z.string() })

function wordsOf(answer: Answer): string {
  if (!answer.ok) return answer.reason
  const parsed = answerSchema.safeParse(answer.value)
  return parsed.success ? parsed.data.fix_applied : 'The agent did not say what it did.'
}
