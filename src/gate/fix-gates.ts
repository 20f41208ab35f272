import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { CliAgent } from '../agents/agent.ts'
import { askAgent, type Answer } from '../agents/ask-agent.ts'
import { openCheckpoints, type Checkpoints } from '../checkpoint/checkpoints.ts'
import { findProtected, programsOf } from '../checkpoint/protected-files.ts'
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
  const { config, fixer, context } = work
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
    const whatFailed = describeFailures(runs)
    const made = await attempt({ number, runs, checkpoints }, work)
    if (made.result === 'made') {
      attempts += 1
      runs = await runGates(config.commands, { run: attempts, context })
    }
    const result = made.result === 'made' ? (areGreen(runs) ? 'pass' : 'fail') : made.result
    fixAttempts.push({ what_failed: whatFailed, fix_applied: made.summary, result })
    if (result !== 'pass') context.onProgress(`fix ${number}: ${result}: ${made.summary}`)
    if (made.isLast) break
  }
  return { runs, attempts, fixAttempts }
}

interface Made {
  /** `made`: the gates can tell whether it helped. */
  readonly result: 'made' | 'rejected' | 'error'
  readonly summary: string
  /** Another attempt would end the same. */
  readonly isLast: boolean
}

async function attempt(
  {
    number,
    runs,
    checkpoints,
  }: { readonly number: number; readonly runs: GateRuns; readonly checkpoints: Checkpoints },
  work: Work,
): Promise<Made> {
  const [before, after] = [`before-${number}`, `after-${number}`] as const
  await checkpoints.take(before)
  const answer = await ask({ number, runs }, work)
  await checkpoints.take(after)
  const paths = await checkpoints.changes(before, after)
  const isLast = !answer.ok && ['auth', 'budget', 'canceled'].includes(answer.cause)
  const forbidden = work.fixer.allowTestEdits
    ? []
    : await findProtected({ paths, checkpoints, before, after, others: judgesOf(work) })
  if (forbidden.length > 0) {
    await checkpoints.restore(before, `undone-${number}`)
    const place = checkpoints.place(`undone-${number}`)
    return {
      result: 'rejected',
      summary: `It changed ${forbidden.join(', ')}; all was undone and is kept in ${place}.`,
      isLast,
    }
  }
  const changes = paths.length === 0 ? 'No file changed.' : `Changed: ${paths.join(', ')}.`
  const result = !answer.ok && paths.length === 0 ? 'error' : 'made'
  return { result, summary: `${wordsOf(answer)} ${changes}`, isLast }
}

async function ask(
  { number, runs }: { readonly number: number; readonly runs: GateRuns },
  { fixer, context }: Work,
): Promise<Answer> {
  const { root, trees, runMark, env, signal } = context
  const folder = join(context.folder, `fix-${number}`)
  mkdirSync(folder, { recursive: true })
  return await askAgent({
    ...fixer,
    prompt: fixPrompt(runs, fixer),
    schema: fixAnswerSchema,
    cwd: root,
    env,
    network: false,
    folder,
    launcher: await trees.launcher(),
    mark: `mdtest-${randomBytes(8).toString('hex')}`,
    runMark,
    signal,
  })
}

/** Files of the project that the gates consist of. */
function judgesOf({ config, context }: Work): readonly string[] {
  const programs = Object.values(config.commands).flatMap(({ shown }) => programsOf(shown))
  return [relative(context.root, config.file), '.planning/config.json', ...programs]
}

const answerSchema = z.object({ fix_applied: z.string() })

function wordsOf(answer: Answer): string {
  if (!answer.ok) return answer.reason
  const parsed = answerSchema.safeParse(answer.value)
  return parsed.success ? parsed.data.fix_applied : 'The agent did not say what it did.'
}
