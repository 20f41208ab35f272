import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readSessionState, sessionsDir } from '../fix/session/session-store.ts'
import { sessionsStatistics, type SessionsStatistics } from '../fix/session/session-statistics.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { plainJson, plainText } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/wording.ts'
import { command, flag, type CommandSyntax } from '../common/command.ts'
import { findProject } from '../common/suite.ts'
import { projectRootFlag } from '../common/flags.ts'

export const sessionsSyntax = {
  command: 'sessions',
  usage: ['[options]'],
  about:
    'Lists the sessions of mdtest fix: attempts, how many tests failed before and after, and how many sessions succeeded.',
  flags: { root: projectRootFlag, json: flag('--json', 'print it as JSON') },
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
  const share = rate === null ? 'none is over' : `${Math.round(100 * rate)} % succeeded`
  return `${lines.join('\n')}\n${plural(all.length, 'session')}, ${plural(attempts, 'attempt')}, ${share}\n`
}
