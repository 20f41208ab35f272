import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { writeReportedLog, type WrittenLog } from '../../../src/host/agent-reports/result-log-writer.ts'
import { parseResultLog } from '../../../src/records/result-log/parse-result-log.ts'
import type { StepReport } from '../../../src/records/result-log/result-log.ts'
import { useFolders } from '../use-folder.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'

const newFolder = useFolders()
const reports: readonly StepReport[] = [{ id: '1-a', status: 'pass', at: '2026-02-10T14:30:00.000Z' }]

function open(redact: WrittenLog['redact'] = (text) => text): WrittenLog {
  const folder = newFolder()
  return { ground: groundAt(folder.path), file: folder.at('t.log.md'), run: 'r1', scenario: 'S', attempt: 2, redact }
}

const read = ({ file }: WrittenLog): ReturnType<typeof parseResultLog> => parseResultLog(readFileSync(file, 'utf8'))

describe('the log that mdtest writes', () => {
  test('does not pass before there is a verdict', () => {
    const log = open()
    writeReportedLog(log, reports)
    expect(read(log)).toEqual({
      ok: true,
      log: {
        'written-by': 'mdtest',
        status: 'fail',
        run: 'r1',
        scenario: 'S',
        attempt: 2,
        steps: [{ id: '1-a', status: 'pass' }],
      },
      body: '',
    })
  })

  test.for([
    ['pass', 'pass'],
    ['fail', 'fail'],
    ['blocked', 'fail'],
    ['skipped', 'fail'],
  ] as const)('with the outcome %s says `status: %s`', ([outcome, status]) => {
    const log = open()
    writeReportedLog(log, reports, { body: 'Done.', verdict: { outcome, steps: [] } })
    expect(read(log)).toMatchObject({ log: { status, outcome }, body: 'Done.' })
  })

  test.each([
    [[{ sandbox: 'bubblewrap' as const }, undefined], { executor: 'mdtest', sandbox: 'bubblewrap' }],
    [
      [{ sandbox: 'bubblewrap' as const }, { sandbox: 'none' as const, why: 'off' }],
      { executor: 'mdtest', sandbox: 'none' },
    ],
    [[undefined, undefined], {}],
  ])('says who executed: %j', (used, expected) => {
    const log = open()
    const step = { id: '1-a', title: 'A', line: 3, outcome: 'pass', reasons: [], durationMs: 1 } as const // literals
    const steps = used.map((executor) => ({ ...step, ...(executor && { executor }) }))
    writeReportedLog(log, reports, { verdict: { outcome: 'pass', steps } })
    const reading = read(log)
    const { executor, sandbox } = reading.ok ? reading.log : {}
    expect({ ...(executor && { executor }), ...(sandbox && { sandbox }) }).toEqual(expected)
  })

  test('takes the place of one that the agent wrote', () => {
    const log = open()
    writeFileSync(log.file, '---\nstatus: pass\n---\n')
    writeReportedLog(log, reports)
    expect(read(log)).toMatchObject({ log: { status: 'fail', 'written-by': 'mdtest' } })
  })

  test('may find its place taken', () => {
    const log = open()
    mkdirSync(log.file)
    expect(() => writeReportedLog(log, reports)).not.toThrow()
  })
})

test('secrets are taken out of what is written', () => {
  const log = open((text) => text.replaceAll('geheim nis', '***KEY***'))
  // Where the formatter would fold the line.
  const observed = `${'word '.repeat(14)}geheim nis`
  writeReportedLog(log, [{ id: '1-a', status: 'pass', at: '2026-02-10T14:30:00.000Z', observed }], {
    body: 'geheim nis',
  })
  const text = readFileSync(log.file, 'utf8')
  expect(text.match(/\*\*\*KEY\*\*\*/g)).toHaveLength(2)
  expect(text).not.toContain('geheim')
})
