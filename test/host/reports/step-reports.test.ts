import { describe, expect, test } from 'vitest'
import { ReportDesk } from '../../../src/host/reports/step-reports.ts'

function openDesk(maxWaitMs = 5_000): ReportDesk {
  return new ReportDesk({ steps: ['1-a', '2-b'], now: () => new Date(0), maxWaitMs })
}

const pass = (id: string) => ({ id, status: 'pass' }) as const // the status is a literal
const fail = (id: string) => ({ id, status: 'fail' }) as const // see above
const ids = (reports: ReportDesk['refused']): readonly string[] => reports.map(({ id, status }) => `${id} ${status}`)

describe('a desk for reports', () => {
  test('takes the steps in order and answers each report once the worker directed', async () => {
    const desk = openDesk()
    const first = desk.report(pass('1-a'))
    expect(await desk.accepts(1)).toEqual({ ...pass('1-a'), at: '1970-01-01T00:00:00.000Z' })
    expect(desk.isChecking).toBe(true)
    desk.direct({ kind: 'go-on' })
    expect(await first).toEqual({ text: expect.stringMatching(/^Go on with the step `2-b`.*it\.$/), isError: false })
    expect(desk.isChecking).toBe(false)
    const second = desk.report(pass('2-b'))
    await desk.accepts(2)
    desk.direct({ kind: 'finish' })
    expect((await second).text).toContain('All steps are in')
    expect(desk.isOver).toBe(true)
    expect(desk.refused).toEqual([])
  })

  test('tells with its answer what was wrong with the evidence, once', async () => {
    const desk = new ReportDesk({ steps: ['1-a', '2-b', '3-c'], now: () => new Date(0) })
    const first = desk.report(pass('1-a'))
    desk.advise('Quote the whole line.')
    desk.direct({ kind: 'go-on' })
    expect((await first).text).toMatch(/^Go on with the step `2-b`.* Quote the whole line\.$/)
    const second = desk.report(pass('2-b'))
    desk.direct({ kind: 'go-on' })
    expect((await second).text).not.toContain('Quote')
  })

  test('says what to do when the worker stops the scenario', async () => {
    const desk = openDesk()
    const answer = desk.report(fail('1-a'))
    desk.direct({ kind: 'stop', reason: 'It failed.' })
    expect((await answer).text).toMatch(/^Stop: It failed\..*end now/)
    desk.direct({ kind: 'go-on' })
    expect(desk.isOver).toBe(true)
  })

  test('refuses what is unknown, out of order, twice or too late, and keeps it', async () => {
    const desk = openDesk()
    const refuse = async (id: string, text: string): Promise<void> => {
      expect(await desk.report(pass(id))).toEqual({ text: expect.stringContaining(text), isError: true })
    }
    await refuse('x', 'there is no such step. The steps are `1-a`, `2-b`. Try and report `1-a` now')
    await refuse('2-b', 'in their order. Try and report `1-a` now')
    const first = desk.report(pass('1-a'))
    await refuse('2-b', 'still checks the step before. Call `next_step`')
    await refuse('1-a', 'reported already')
    desk.direct({ kind: 'go-on' })
    await first
    await refuse('1-a', 'Try and report `2-b` now')
    desk.direct({ kind: 'stop', reason: 'Over.' })
    await refuse('2-b', 'nothing more is to be reported. Stop: Over.')
    expect(ids(desk.accepted)).toEqual(['1-a pass'])
    // Repetitions are left out.
    expect(ids(desk.refused)).toEqual(['x pass', '2-b pass', '1-a pass'])
  })

  test('does not keep a call waiting for ever: the answer comes with `next_step`', async () => {
    const desk = openDesk(30)
    expect(await desk.report(pass('1-a'))).toEqual({ text: expect.stringContaining('still checks'), isError: false })
    expect((await desk.next()).text).toContain('still checks')
    const next = desk.next()
    desk.direct({ kind: 'go-on' })
    expect((await next).text).toContain('Go on with the step `2-b`')
  })

  test('tells an agent that asks too early which step is its own', async () => {
    expect((await openDesk().next()).text).toContain('Go on with the step `1-a`')
  })

  test('notices each call', async () => {
    const desk = openDesk()
    let calls = 0
    desk.whenCalled(() => void (calls += 1))
    await desk.next()
    await desk.report(pass('x'))
    expect(calls).toBe(2)
  })
})
