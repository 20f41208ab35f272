import { realpath } from 'node:fs/promises'
import { isInside } from '../../system/files/paths.ts'
import type { SessionEnd } from './loop/work-on-session.ts'
import { relative, resolve } from 'node:path'
import { inspect } from 'node:util'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import type { FixTools } from './loop/session-keeper.ts'
import { formatFixReport, type FixReport } from './session/fix-report.ts'
import { sessionFolder, SessionStore, readSessionState } from './session/session-store.ts'
import { findGateConfig } from '../project-config/read-gate-config.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { openRedactor } from '../../system/redaction/redact.ts'
import { mcpSecrets } from '../../spec/front-matter/secrets.ts'
import { interruptedBy, type CommandEnding } from '../common/exit-code.ts'
import { SetUpError } from '../common/set-up-error.ts'
import type { CliContext } from '../common/cli-context.ts'
import { withLiveTrees } from '../common/with-live-trees.ts'
import { findProject } from '../common/suite.ts'
import { fixSyntax, parseFixFlags, type FixFlags } from './flags.ts'
import { formatHelp } from '../common/command.ts'
import { workOnFeatures } from './features.ts'
import { plainJson, plainText } from '../../system/text/plain-text.ts'
import type { Writable } from 'node:stream'
import { progressOf } from './session/progress.ts'
import { runSessionTests } from './acts/run-tests.ts'
import { ownFile } from '../../system/own-package.ts'

export async function fix(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  try {
    return await fixOrThrow(args, cli)
  } catch (error: unknown) {
    // What goes wrong before or beside the tests has one exit code. An unforeseen error is shown in full.
    const isKnown = error instanceof SetUpError || error instanceof MdtestError
    cli.stderr.write(`mdtest: ${plainText(isKnown ? error.message : inspect(error))}\n`)
    return { command: 'fix', end: 'error' }
  }
}

async function fixOrThrow(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const { cwd, env, stdout, stderr, signal } = cli
  const asked = parseFixFlags(args)
  if (asked.help) {
    stdout.write(formatHelp(fixSyntax))
    return { command: 'fix', end: 'success' }
  }
  const root = await findProject(asked.root, cwd)
  return await withLiveTrees(async (run) => {
    const { allow = [], mayChange = [], mcpServers = {} } = (await findGateConfig({ root })) ?? {}
    const { redactor } = openRedactor({ envs: [env], names: [], others: mcpSecrets(mcpServers) })
    const tools: FixTools = {
      ...{ ...run, env: agentEnvironment(env), redactor, allow, mcpServers, signal, pid: process.pid },
      now: () => new Date(),
      program: [process.execPath, ownFile('#bin')],
      waitMs: (times) => Math.min(5_000 * 2 ** times, 300_000),
      say: (line) => void stderr.write(`${plainText(redactor.redact(line))}\n`),
    }
    const settings = { ...asked.settings }
    if (settings.scope != null) settings.scope = await findScope(settings.scope, { root, cwd })
    // A session keeps what it was begun with, unless it is asked for more.
    if (asked.resume === undefined || settings.may_change !== undefined)
      settings.may_change = [...mayChange, ...(settings.may_change ?? [])]
    const flags = { ...asked, settings }
    if (flags.testsOnly) return await printTests({ flags, root }, { tools, stdout })
    return concludeFix(await workOnFeatures(flags, root, tools), { flags, root, cli })
  })
}

const severity = ['success', 'incomplete', 'stalled', 'error'] as const // exit codes, in order

function concludeFix(
  ends: readonly SessionEnd[],
  { flags, root, cli }: { flags: FixFlags; root: string; cli: CliContext },
): CommandEnding {
  const reports: FixReport[] = []
  for (const end of ends) {
    if (!end.isInterrupted) reports.push(end.report)
    else cli.stderr.write(`mdtest: interrupted; go on with \`npx vitest-mdtest fix --resume ${end.sessionId}\`.\n`)
  }
  const printed = flags.features.length > 1 ? reports : reports[0]
  if (flags.json && printed !== undefined) cli.stdout.write(`${plainJson(JSON.stringify(printed, undefined, 2))}\n`)
  for (const report of flags.json ? [] : reports) {
    const folder = relative(root, sessionFolder(root, report.session_id))
    cli.stdout.write(plainText(formatFixReport(report, folder)))
  }
  if (reports.length < ends.length) return interruptedBy(cli.signal)
  const worst = severity.findLast((result) => reports.some((each) => each.result === result))
  return { command: 'fix', end: worst ?? 'error' }
}

/** Runs the tests of a session once, and prints what the script of a test tasker prints. */
async function printTests(
  { flags, root }: { flags: FixFlags; root: string },
  { tools, stdout }: { tools: FixTools; stdout: Writable },
): Promise<CommandEnding> {
  const folder = sessionFolder(root, flags.resume ?? '')
  const state = await readSessionState(folder)
  const { runner } = progressOf(state.history)
  if (runner === undefined)
    throw new SetUpError('The session does not know yet how its tests run: go on with it first.')
  const ran = await runSessionTests(runner, { ...tools, state, store: new SessionStore(folder) })
  const { total, failing, summary_path: summaryPath } = ran.results
  const details = failing.map(({ key: _key, ...failure }) => failure)
  const keys = new Set([...failing, ...ran.results.others].map(({ name, file }) => `${file}\n${name}`))
  const passed = ran.results.executed?.filter(({ name, file }) => !keys.has(`${file}\n${name}`))
  const told = { total, failed: failing.length, passed, details, summary_path: summaryPath }
  stdout.write(`${plainJson(JSON.stringify(told))}\n`)
  if (ran.failure !== undefined) return { command: 'fix', end: 'error' }
  return { command: 'fix', end: failing.length === 0 ? 'success' : 'incomplete' }
}

/** In a scope that is not there nothing would ever fail. @throws {SetUpError} for one that is missing or outside */
export async function findScope(scope: string, { root, cwd }: { root: string; cwd: string }): Promise<string> {
  if (scope.trim() === '') throw new SetUpError('`--scope` takes a file or folder, got nothing.')
  const found = await Promise.all([root, cwd].map((folder) => realpath(resolve(folder, scope)).catch(() => undefined)))
  const paths = found.filter((path) => path !== undefined)
  const inside = paths.find((path) => isInside(path, root))
  if (inside !== undefined) return relative(root, inside) || '.'
  const why = paths.length === 0 ? 'There is no' : `Outside of \`${root}\` is the`
  throw new SetUpError(`${why} file or folder \`${scope}\` that \`--scope\` names; it is relative to \`${root}\`.`)
}
