import { join, relative, resolve } from 'node:path'
import { copyKept } from '../../report/copy-kept.ts'
import { openReport, type ReportFolder } from '../../report/report-folder.ts'
import type { SpecRecord } from '../../report/spec-record.ts'
import { keyOf } from '../../report/stored-records.ts'
import { plural } from '../../shared/plural.ts'
import type { CommandEnding } from '../exit-code.ts'
import { SetUpError } from '../set-up-error.ts'
import { suiteRoot } from '../suite-root.ts'
import type { Surroundings } from '../surroundings.ts'
import { parseReportFlags, reportHelp } from './flags.ts'
import { newerRuns } from './newer-runs.ts'
import { readReports, type StoredReports } from './read-reports.ts'

/**
 * `mdtest report`: writes the report anew from what is on disk.
 * @throws {SetUpError} if there is nothing to report.
 */
export async function report(args: readonly string[], surroundings: Surroundings): Promise<CommandEnding> {
  const { stdout, stderr, cwd } = surroundings
  const flags = parseReportFlags(args)
  if (flags.help) {
    stdout.write(reportHelp)
    return { command: 'report', end: 'done' }
  }
  const root = await suiteRoot(flags.dir, cwd)
  const dir = flags.report === undefined ? join(root, 'mdtest-report') : resolve(cwd, flags.report)
  const logsDir = flags.logsDir === undefined ? {} : { logsDir: resolve(root, flags.logsDir) }
  const stored = await readReports([dir, ...flags.from.map((from) => resolve(cwd, from))])
  for (const file of stored.unreadable) stderr.write(`mdtest: ${file} is no record of this version of mdtest.\n`)
  const ended = await newerRuns(stored.specs, { root, ...logsDir })
  if (stored.specs.size + stored.runs.length + ended.length === 0) throw nothingThere(root)
  const folder = await openReport({ dir, root })
  for (const { record, from } of stored.specs.values()) await copyKept(record, { from, to: dir })
  const { recordSpec } = await import('../../report/record-spec.ts')
  const records = new Map([...stored.specs].map(([key, { record }]) => [key, record]))
  for (const spec of ended) {
    const record = await recordSpec(spec, folder.kept)
    records.set(keyOf(record), record)
  }
  await writeAll(folder, { records: [...records.values()], runs: stored.runs })
  stdout.write(`${plural(records.size, 'spec')}: ${relative(cwd, join(dir, 'index.html'))}\n`)
  return { command: 'report', end: 'done' }
}

async function writeAll(
  folder: ReportFolder,
  { records, runs }: { readonly records: readonly SpecRecord[]; readonly runs: StoredReports['runs'] },
): Promise<void> {
  for (const record of records) await folder.putSpec(record)
  for (const run of runs) await folder.putRun(run)
  await folder.writeSummary()
}

function nothingThere(root: string): SetUpError {
  return new SetUpError(
    `There is nothing to report under ${root}: no report and no result log. Run the specs with \`mdtest run --report\`, or with the reporter \`vitest-mdtest/reporter\`; where the option \`logs.dir\` is set, name its folder by \`--logs-dir\`.`,
  )
}
