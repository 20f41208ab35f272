import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readSessionState, sessionsDir } from '../fix/session/session-store.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { plainJson, plainText } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/wording.ts'
import { command, flag, type CommandSyntax } from '../common/define-command.ts'
import { findProject } from '../common/suite.ts'
import { projectRootFlag } from '../common/flags.ts'
import { z } from 'zod'
import { fixResults, type SessionState } from '../fix/session/session-state.ts'

export const sessionsSyntax = {
  command: 'sessions',
  usage: ['[options]'],
  about:
    'Lists the sessions of mdtest fix: attempts, number of failed tests before and after, and how many sessions succeeded.',
  flags: { root: projectRootFlag, json: flag('--json', 'print JSON') },
  isFlagsOnly: true,
  examples: ['', '--json'],
  exitCodes: '0 done, 2 wrong use.',
} satisfies CommandSyntax

export const sessions = command(sessionsSyntax, async ({ root, json }, { cwd, stdout, stderr }) => {
  const folder = join(await findProject(root, cwd), sessionsDir)
  const names = await readdir(folder).catch(() => [])
  const read = await Promise.all(
    names.map((name) =>
      readSessionState(join(folder, name)).catch((error: unknown) => {
        if (!(error instanceof MdtestError)) throw error
        stderr.write(`mdtest: ${plainText(error.message)}\n`)
        return []
      }),
    ),
  )
  const statistics = sessionsStatistics(read.flat())
  stdout.write(json ? `${plainJson(JSON.stringify(statistics, undefined, 2))}\n` : plainText(format(statistics)))
})

function format({ sessions: all, attempts, completion_rate: rate }: SessionsStatistics): string {
  if (all.length === 0) return 'No sessions.\n'
  const lines = all.map(
    ({ session_id: id, result, attempts: count, failing_before: before, failing_after: after }) =>
      `${id}  ${result ?? 'not over'}  ${plural(count, 'attempt')}  ${before ?? '?'} → ${after ?? '?'} failing`,
  )
  const share = rate === null ? 'none is finished' : `${Math.round(100 * rate)} % succeeded`
  return `${lines.join('\n')}\n${plural(all.length, 'session')}, ${plural(attempts, 'attempt')}, ${share}\n`
}

const sessionStatisticsSchema = z.strictObject({
  session_id: z.string(),
  feature: z.string(),
  result: z.enum(fixResults).nullable(),
  attempts: z.int().min(0),
  failing_before: z.int().min(0).nullable(),
  failing_after: z.int().min(0).nullable(),
  delta: z.int().nullable(),
  cost_usd: z.number().min(0).nullable(),
  duration_ms: z.number().min(0),
  started_at: z.string(),
})

export const sessionsStatisticsSchema = z.strictObject({
  sessions: z.array(sessionStatisticsSchema),
  total: z.int().min(0),
  attempts: z.int().min(0),
  /** The share of finished sessions that succeeded; `null` if none is finished. */
  completion_rate: z.number().min(0).max(1).nullable(),
})

export type SessionsStatistics = z.infer<typeof sessionsStatisticsSchema>

export function sessionsStatistics(states: readonly SessionState[]): SessionsStatistics {
  const sessions = states.map(statisticsOf).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
  const over = sessions.filter(({ result }) => result !== null)
  return {
    sessions,
    total: sessions.length,
    attempts: sessions.reduce((sum, { attempts }) => sum + attempts, 0),
    completion_rate: over.length === 0 ? null : over.filter(({ result }) => result === 'success').length / over.length,
  }
}

function statisticsOf(state: SessionState): z.infer<typeof sessionStatisticsSchema> {
  const before = state.history.find((act) => act.kind === 'tests-ran')?.failing.length ?? null
  const after = state.state.failing_tests
  const { session_id, feature, result, cost_usd, started_at } = state
  return {
    ...{ session_id, feature, result, attempts: state.state.previous_attempts },
    ...{ failing_before: before, failing_after: after },
    delta: before === null || after === null ? null : before - after,
    ...{ cost_usd, duration_ms: Math.round(state.elapsed_ms), started_at },
  }
}
