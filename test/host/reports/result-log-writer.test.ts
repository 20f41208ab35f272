import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ResultLogWriter } from '../../../src/host/reports/result-log-writer.ts'
import { parseResultLog } from '../../../src/records/result-log/parse-result-log.ts'
import type { StepReport } from '../../../src/records/result-log/result-log.ts'
import { useFolders } from '../use-folder.ts'
import { groundAt } from '../../../src/system/files/ground.ts'

const newFolder = useFolders()
const reports: readonly StepReport[] = [{ id: '1-a', status: 'pass', at: '2026-02-10T14:30:00.000Z' }]

function open(): { readonly file: string; readonly writer: ResultLogWriter } {
  const folder = newFolder()
  const [ground, file] = [groundAt(folder.path), folder.at('t.log.md')]
  return { file, writer: new ResultLogWriter({ ground, file, run: 'r1', scenario: 'S', attempt: 2 }) }
}

describe('the log that mdtest writes', () => {
  test('does not pass before there is a verdict', async () => {
    const { file, writer } = open()
    await writer.write(reports)
    expect(parseResultLog(readFileSync(file, 'utf8'))).toEqual({
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
  ] as const)('with the outcome %s says `status: %s`', async ([outcome, status]) => {
    const { file, writer } = open()
    await writer.write(reports, { body: 'Done.', verdict: { outcome, steps: [] } })
    expect(parseResultLog(readFileSync(file, 'utf8'))).toMatchObject({ log: { status, outcome }, body: 'Done.' })
  })

  test.each([
    [[{ sandbox: 'bubblewrap' as const }, undefined], { executor: 'mdtest', sandbox: 'bubblewrap' }],
    [
      [{ sandbox: 'bubblewrap' as const }, { sandbox: 'none' as const, why: 'off' }],
      { executor: 'mdtest', sandbox: 'none' },
    ],
    [[undefined, undefined], {}],
  ])('says who executed: %j', async (used, expected) => {
    const { file, writer } = open()
    const step = { id: '1-a', title: 'A', line: 3, outcome: 'pass', reasons: [], durationMs: 1 } as const // literals
    const steps = used.map((executor) => ({ ...step, ...(executor && { executor }) }))
    await writer.write(reports, { verdict: { outcome: 'pass', steps } })
    const reading = parseResultLog(readFileSync(file, 'utf8'))
    const { executor, sandbox } = reading.ok ? reading.log : {}
    expect({ ...(executor && { executor }), ...(sandbox && { sandbox }) }).toEqual(expected)
  })

  test('is not taken for the agent’s: that one is remembered', async () => {
    const { file, writer } = open()
    writeFileSync(file, '---\nstatus: fail\n---\n')
    await writer.write(reports)
    await writer.write(reports)
    expect(await writer.read()).toMatchObject({ ok: true, log: { status: 'fail' } })
    expect(await writer.read()).not.toHaveProperty('log.written-by')
    writeFileSync(file, '---\nstatus: pass\nrun: r1\n---\n')
    expect(await writer.read()).toMatchObject({ log: { status: 'pass' } })
    await writer.write(reports)
    expect(await writer.read()).toMatchObject({ log: { status: 'pass', run: 'r1' } })
  })

  test('of another run is the agent’s', async () => {
    const { file, writer } = open()
    writeFileSync(file, '---\nstatus: pass\nwritten-by: mdtest\nrun: r0\n---\n')
    await writer.write(reports)
    expect(await writer.read()).toMatchObject({ log: { run: 'r0' } })
  })

  test('may find its place taken', async () => {
    const { file, writer } = open()
    mkdirSync(file)
    await writer.write(reports)
    expect(await writer.read()).toMatchObject({ ok: false, code: 'LOG_UNREADABLE' })
  })
})

test('secrets are taken out of what is written', async () => {
  const folder = newFolder()
  const [ground, file] = [groundAt(folder.path), folder.at('t.log.md')]
  const redact = (text: string): string => text.replaceAll('geheim nis', '***KEY***')
  const writer = new ResultLogWriter({ ground, file, run: 'r1', scenario: 'S', attempt: 1, redact })
  // Where the formatter would fold the line.
  const observed = `${'word '.repeat(14)}geheim nis`
  await writer.write([{ id: '1-a', status: 'pass', at: '2026-02-10T14:30:00.000Z', observed }], { body: 'geheim nis' })
  const text = readFileSync(file, 'utf8')
  expect(text.match(/\*\*\*KEY\*\*\*/g)).toHaveLength(2)
  expect(text).not.toContain('geheim')
})
