import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseFixFlags } from '../../../src/commands/fix/flags.ts'
import { reportFolder, reportSessions } from '../../../src/commands/fix/report-sessions.ts'
import { formatFixReport, type FixReport } from '../../../src/commands/fix/session/fix-report.ts'
import { openRedactor } from '../../../src/system/redaction/open-redactor.ts'
import { useFolders } from '../../host/use-folder.ts'
import { writeFixSession } from '../../support/write-fix-session.ts'
import { recordedStream } from '../../support/recorded-stream.ts'

const createFolder = useFolders()
const { redactor } = openRedactor({ envs: [], names: [] })

const ended: FixReport = {
  session_id: 'sums',
  feature: 'Sums',
  result: 'success',
  reason: 'All tests passed, twice in a row.',
  total_tests: 2,
  failing_tests: 0,
  attempts: 1,
  summaries: [],
  changed_files: [],
  left_out: [],
  artifacts: ['.mdtest/sessions/sums/artifacts/test_results.json'],
  cost_usd: 0,
  calls_without_cost: 0,
  duration_ms: 1_000,
  first_checkpoint: null,
  branch: null,
}

test.each([
  [[], undefined, undefined],
  [[], 'out', 'out'],
  [['--report'], undefined, 'mdtest-report'],
  [['--report'], 'out', 'out'],
  [['--report=mine'], 'out', 'mine'],
])('%j with `reportDir` %j: the report is in %j', (flags, configured, expected) => {
  const { report: asked } = parseFixFlags(['--feature', 'sums', ...flags])
  expect(reportFolder({ asked, configured })).toBe(expected)
})

test('the page is named in the closing lines and among the artifacts', async () => {
  const folder = createFolder()
  await writeFixSession({ root: folder.path, id: 'sums', history: [], state: { result: 'success', reason: 'Yes.' } })
  const said = recordedStream()
  const ends = [
    { isInterrupted: false, report: ended },
    { isInterrupted: true, sessionId: 'other' },
  ] as const // `isInterrupted` tells them apart
  const told = await reportSessions(ends, { root: folder.path, dir: 'out', redactor, stderr: said.stream })
  expect(said.text()).toBe('')
  expect(told.page).toBe('out/sessions.html')
  const report = { ...ended, artifacts: [...ended.artifacts, 'out/sessions.html'] }
  expect(told.ends).toEqual([{ isInterrupted: false, report }, ends[1]])
  const onDisk = await readFile(folder.at('.mdtest/sessions/sums/artifacts/report.json'), 'utf8')
  expect(JSON.parse(onDisk)).toEqual(report)
  expect(formatFixReport(report, { folder: 'x', page: told.page })).toContain('\n  report: out/sessions.html\n')
})

test('a report that cannot be written is said, and fails nothing', async () => {
  const folder = createFolder()
  await folder.write({ out: 'a file' })
  const said = recordedStream()
  const ends = [{ isInterrupted: false, report: ended }] as const // `isInterrupted` tells them apart
  expect(await reportSessions(ends, { root: folder.path, dir: 'out', redactor, stderr: said.stream })).toEqual({ ends })
  expect(said.text()).toContain(`mdtest: The report in ${folder.at('out')} cannot be written`)
})
