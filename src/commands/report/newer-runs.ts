import { readFile } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { whateverRan } from '../../plan/options/default-include.ts'
import { resolveOptions } from '../../plan/options/resolve-options.ts'
import { endedFromLogs } from '../../report/records/ended-from-logs.ts'
import type { EndedSpec } from '../../report/records/ended-spec.ts'
import { keyOf } from '../../report/records/stored-records.ts'
import { logFolder } from '../../records/folders/log-paths.ts'
import { newestLogs } from '../../records/folders/newest-logs.ts'
import { planSpec } from '../../plan/plan-spec.ts'
import { discoverSpecs } from '../common/find-specs.ts'
import type { StoredSpec } from './read-reports.ts'

interface LogsContext {
  /** Absolute path of the suite root. */
  readonly root: string
  /** Absolute path of the folder for logs, where the option `logs.dir` is set. */
  readonly logsDir?: string
}

/** Specs whose logs tell of runs that no report knows. */
export async function newerRuns(
  stored: ReadonlyMap<string, StoredSpec>,
  { root, logsDir }: LogsContext,
): Promise<readonly EndedSpec[]> {
  const specs = await discoverSpecs(root, whateverRan)
  const found = specs.map(async ({ file }) => {
    const folder = logFolder({ specFile: file, root, ...(logsDir !== undefined && { dir: logsDir }) })
    if (newestLogs(folder) === undefined) return []
    const ended = await endedFromLogs({ ...(await readSource(file, root)), file, root, logFolder: folder })
    const known = stored.get(keyOf({ spec: relative(root, file).split(sep).join('/') }))
    return ended !== undefined && (known === undefined || known.record.endedAt < ended.startedAt) ? [ended] : []
  })
  return (await Promise.all(found)).flat()
}

/** As the spec is now; options say nothing of how it is read but whether an agent is there, and one was. */
async function readSource(file: string, root: string): Promise<Pick<EndedSpec, 'text' | 'parsed' | 'included'>> {
  const bytes = await readFile(file).catch(() => undefined)
  if (bytes === undefined) return { included: new Map() }
  const planned = planSpec(bytes, { file, root, options: resolveOptions({}), commandLine: {} })
  const text = bytes.toString('utf8')
  return { text, included: planned.included, ...(planned.ok && { parsed: planned.plan.spec }) }
}
