import { join, relative, resolve } from 'node:path'
import { pathIn } from '../../system/files/path-in.ts'
import { sessionsDir } from '../fix/session/session-store.ts'
import { copyKept } from '../../report/folder/kept-files.ts'
import { openReport, type ReportFolder } from '../../report/folder/report-folder.ts'
import type { FoundSessions } from '../../report/sessions/write-sessions.ts'
import type { SpecRecord } from '../../report/records/spec-record.ts'
import type { CoverageReport } from '../../coverage/coverage.ts'
import { keyOf } from '../../report/records/stored-records.ts'
import { openRedactor } from '../../system/redaction/open-redactor.ts'
import { groundAt } from '../../system/files/ground.ts'
import { readFolderIfAny } from '../../system/files/list-files.ts'
import { ownCommand } from '../../system/own-command.ts'
import { plural } from '../../system/text/format-amounts.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { suiteRoot } from '../common/suite.ts'
import type { CliContext } from '../common/cli-context.ts'
import { formatHelp } from '../common/format-help.ts'
import { readReports, type StoredReports, type StoredSpec } from './read-reports.ts'
import { plainLine, plainText } from '../../system/text/plain-text.ts'
import { readFile } from 'node:fs/promises'
import { whateverRan } from '../../plan/options/default-include.ts'
import { resolveOptions } from '../../plan/options/resolve-options.ts'
import { endedFromLogs } from '../../report/records/ended-from-logs.ts'
import type { EndedSpec } from '../../report/records/ended-spec.ts'
import { logFolder } from '../../records/folders/log-paths.ts'
import { newestLogs } from '../../records/folders/newest-logs.ts'
import { planSpec } from '../../plan/plan-spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { agentNames } from '../../agents/registry.ts'
import { readVerdicts } from '../../records/verdict/verdict-file.ts'
import { discoverSpecs } from '../common/find-specs.ts'
import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { parseFlags } from '../common/parse-flags.ts'
import { logsDirFlag, suiteRootFlag } from '../common/shared-flags.ts'

/**
 * `mdtest report`: writes the report anew from what is on disk.
 * @throws {SetUpError} if there is nothing to report.
 */
export async function report(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const { stdout, stderr, cwd, env } = cli
  const flags = parseReportFlags(args)
  if (flags.help) {
    stdout.write(formatHelp(reportSyntax))
    return { command: 'report', end: 'done' }
  }
  const root = await suiteRoot(flags.dir, cwd)
  const dir = flags.report === undefined ? join(root, 'mdtest-report') : resolve(cwd, flags.report)
  const logsDir = flags.logsDir === undefined ? {} : { logsDir: resolve(root, flags.logsDir) }
  const stored = await readReports([dir, ...(flags.from ?? []).map((from) => resolve(cwd, from))])
  for (const file of stored.unreadable)
    stderr.write(`mdtest: ${plainLine(file)} is no record of this version of mdtest.\n`)
  const ended = await newerRuns(stored.specs, { root, ...logsDir })
  const known = stored.specs.size + stored.runs.length + stored.sessions.size + ended.length
  if (known === 0 && !hasSessions(root)) throw nothingThere(root)
  const folder = await openReport({ dir, root })
  for (const { record, from } of stored.specs.values()) copyKept(record, { from, to: dir, ground: folder.ground })
  const { recordSpec } = await import('../../report/records/record-spec.ts')
  const records = new Map([...stored.specs].map(([key, { record }]) => [key, record]))
  for (const spec of ended) {
    const record = await recordSpec(spec, folder.kept)
    records.set(keyOf(record), record)
  }
  await writeAll(folder, { records: [...records.values()], runs: stored.runs })
  await folder.writeCoverage(await coverageOf(root, { ...logsDir, env }))
  const sessions = await writeSessions(folder, { root, dir, stored, env })
  for (const { why } of sessions.unreadable) stderr.write(`mdtest: ${plainText(why)}\n`)
  stdout.write(`${closingLine({ specs: records.size, sessions: sessions.records.length }, relative(cwd, dir))}\n`)
  return { command: 'report', end: 'done' }
}

async function coverageOf(
  root: string,
  { logsDir, env }: Pick<LogsContext, 'logsDir'> & Pick<CliContext, 'env'>,
): Promise<CoverageReport> {
  const { readCoverageOf } = await import('../../coverage/read-coverage.ts')
  // No configuration is loaded: other tools' documents are known by their places.
  const options = resolveOptions(logsDir === undefined ? {} : { logs: { dir: logsDir } })
  return readCoverageOf({ root, options }, env)
}

async function writeAll(
  folder: ReportFolder,
  { records, runs }: { readonly records: readonly SpecRecord[]; readonly runs: StoredReports['runs'] },
): Promise<void> {
  for (const record of records) await folder.putSpec(record)
  for (const run of runs) await folder.putRun(run)
  await folder.writeSummary()
}

interface SessionsContext extends Pick<CliContext, 'env'> {
  readonly root: string
  readonly dir: string
  readonly stored: StoredReports
}

async function writeSessions(
  folder: ReportFolder,
  { root, dir, stored, env }: SessionsContext,
): Promise<FoundSessions> {
  const { putSessions } = await import('../../report/sessions/write-sessions.ts')
  const known = [...stored.sessions.values()]
  for (const { record, from } of known) copyKept(record, { from, to: dir, ground: folder.ground })
  const { redactor } = openRedactor({ envs: [env], names: [] })
  return await putSessions(folder, { root, dir, redactor, stored: known.map(({ record }) => record) })
}

function hasSessions(root: string): boolean {
  return readFolderIfAny(groundAt(root), join(root, sessionsDir)).length > 0
}

function closingLine({ specs, sessions }: { readonly specs: number; readonly sessions: number }, dir: string): string {
  if (sessions === 0) return `${plural(specs, 'spec')}: ${join(dir, 'index.html')}`
  if (specs === 0) return `${plural(sessions, 'session')}: ${join(dir, 'sessions.html')}`
  return `${plural(specs, 'spec')}, ${plural(sessions, 'session')}: ${join(dir, 'index.html')}`
}

function nothingThere(root: string): SetUpError {
  return new SetUpError(
    `There is nothing to report under ${root}: no report, no result log and no session of \`mdtest fix\`. First run \`${ownCommand} run --report\`, or use the reporter \`vitest-mdtest/reporter\`. If your configuration sets \`logs.dir\`, name that folder with \`--logs-dir\`.`,
  )
}

interface LogsContext {
  /** Absolute path of the suite root. */
  readonly root: string
  /** Absolute path of the folder for logs, where the option `logs.dir` is set. */
  readonly logsDir?: string
}

/** Specs whose logs tell of runs that no report knows. */
async function newerRuns(
  stored: ReadonlyMap<string, StoredSpec>,
  { root, logsDir }: LogsContext,
): Promise<readonly EndedSpec[]> {
  const specs = await discoverSpecs(root, whateverRan)
  const found = specs.map(async ({ file }) => {
    const folder = logFolder({ specFile: file, root, ...(logsDir !== undefined && { dir: logsDir }) })
    if (newestLogs(folder) === undefined) return []
    const [newest] = await readVerdicts(folder)
    const source = await readSource(file, { root, agent: newest?.agent })
    const ended = await endedFromLogs({ ...source, file, root, logFolder: folder })
    const known = stored.get(keyOf({ spec: pathIn(root, file) }))
    return ended !== undefined && (known === undefined || known.record.endedAt < ended.startedAt) ? [ended] : []
  })
  return (await Promise.all(found)).flat()
}

interface SourceContext {
  readonly root: string
  /** Name of the agent that worked last: options say nothing else of how a spec is read. */
  readonly agent: string | undefined
}

/** As the spec is now. */
async function readSource(
  file: string,
  { root, agent: name }: SourceContext,
): Promise<Pick<EndedSpec, 'text' | 'parsed' | 'included' | 'baseUrl'>> {
  const bytes = await readFile(file).catch(() => undefined)
  if (bytes === undefined) return { included: new Map() }
  const agent = agentNames.find((known) => known === name)
  const planned = planSpec(bytes, { file, root, options: resolveOptions({}), commandLine: withoutUndefined({ agent }) })
  const text = bytes.toString('utf8')
  if (!planned.ok) return { text, included: planned.included }
  const { spec: parsed } = planned.plan
  const { baseUrl } = parsed.frontMatter.settings
  return { text, included: planned.included, parsed, ...(baseUrl !== undefined && { baseUrl }) }
}

export const reportSyntax = {
  command: 'report',
  usage: ['[DIR] [options]'],
  about: `Writes the HTML report in DIR (default: mdtest-report) anew, from what runs left on disk: what the reporter stored in DIR,
in other reports, result logs that are newer, and sessions of mdtest fix.`,
  flags: {
    from: {
      flag: 'from',
      value: 'DIR',
      isRepeatable: true,
      summary: 'take over what another report tells, for example that of a shard; repeatable',
    },
    dir: suiteRootFlag,
    logsDir: logsDirFlag,
  },
  exitCodes: '0 done, 2 there is nothing to report.',
} satisfies CommandSyntax

/** `mdtest report`, as asked for on the command line. */
type ReportFlags = FlagValues<typeof reportSyntax> & { readonly report?: string }

/**
 * Reads the arguments after `mdtest report`.
 * @throws {SetUpError} for an unknown flag, or more than one folder.
 */
function parseReportFlags(args: readonly string[]): ReportFlags {
  const { values, positionals } = parseFlags(args, reportSyntax)
  const [report, second] = positionals
  if (second !== undefined) {
    throw new SetUpError(`\`mdtest report\` takes one folder; name the one to take over from by \`--from ${second}\`.`)
  }
  return report === undefined ? values : { ...values, report }
}
