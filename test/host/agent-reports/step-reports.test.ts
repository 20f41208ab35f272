import { describe, expect, test } from 'vitest'
import { StepReports } from '../../../src/host/agent-reports/step-reports.ts'

function openReports(maxWaitMs = 5_000): StepReports {
  return new StepReports({ steps: ['1-a', '2-b'], now: () => new Date(0), maxWaitMs })
}

const pass = (id: string) => ({ id, status: 'pass' }) as const // the status is a literal
const fail = (id: string) => ({ id, status: 'fail' }) as const // see above
const ids = (reports: StepReports['refused']): readonly string[] => reports.map(({ id, status }) => `${id} ${status}`)

describe('reports of steps', () => {
  test('takes the steps in order and answers each report once the worker directed', async () => {
    const stepReports = openReports()
    const first = stepReports.report(pass('1-a'))
    expect(await stepReports.accepts(1)).toEqual({ ...pass('1-a'), at: '1970-01-01T00:00:00.000Z' })
    expect(stepReports.isChecking).toBe(true)
    stepReports.direct({ kind: 'go-on' })
    expect(await first).toEqual({ text: expect.stringMatching(/^Go on with the step `2-b`.*it\.$/), isError: false })
    expect(stepReports.isChecking).toBe(false)
    const second = stepReports.report(pass('2-b'))
    await stepReports.accepts(2)
    stepReports.direct({ kind: 'finish' })
    expect((await second).text).toContain('All steps are in')
    expect(stepReports.isOver).toBe(true)
    expect(stepReports.refused).toEqual([])
  })

  test('gives a pass back that nothing proves, twice, and takes any other report', async () => {
    const stepReports = openReports()
    stepReports.listen({ weigh: async ({ id }) => (id === '1-a' ? 'Quote the whole line.' : undefined) })
    for (const _ of [1, 2]) {
      const { text, isError } = await stepReports.report(pass('1-a'))
      expect(text).toMatch(/^The report of `1-a` was not taken yet\.\nQuote the whole line\./)
      expect(isError).toBe(true)
    }
    expect(stepReports.accepted).toEqual([])
    const ended = openReports()
    ended.listen({ weigh: async () => 'Quote the whole line.' })
    await ended.report(pass('1-a'))
    ended.end()
    expect(ended.accepted).toMatchObject([{ id: '1-a' }])
    const third = stepReports.report(pass('1-a'))
    await stepReports.accepts(1)
    stepReports.direct({ kind: 'go-on' })
    expect((await third).text).toContain('Go on with the step `2-b`')
    const second = stepReports.report(fail('2-b'))
    await stepReports.accepts(2)
    stepReports.direct({ kind: 'finish' })
    expect((await second).isError).toBe(false)
    expect(stepReports.refused).toEqual([])
  })

  test('says what to do when the worker stops the scenario', async () => {
    const stepReports = openReports()
    const answer = stepReports.report(fail('1-a'))
    stepReports.direct({ kind: 'stop', reason: 'It failed.' })
    expect((await answer).text).toMatch(/^Stop: It failed\..*end now/)
    stepReports.direct({ kind: 'go-on' })
    expect(stepReports.isOver).toBe(true)
  })

  test('refuses what is unknown, out of order, twice or too late, and keeps it', async () => {
    const stepReports = openReports()
    const refuse = async (id: string, text: string): Promise<void> => {
      expect(await stepReports.report(pass(id))).toEqual({ text: expect.stringContaining(text), isError: true })
    }
    await refuse('x', 'there is no such step. The steps are `1-a`, `2-b`. Try and report `1-a` now')
    await refuse('2-b', 'in their order. Try and report `1-a` now')
    const first = stepReports.report(pass('1-a'))
    await refuse('2-b', 'still checks the step before. Call `next_step`')
    await refuse('1-a', 'reported already')
    stepReports.direct({ kind: 'go-on' })
    await first
    await refuse('1-a', 'Try and report `2-b` now')
    stepReports.direct({ kind: 'stop', reason: 'Over.' })
    await refuse('2-b', 'nothing more is to be reported. Stop: Over.')
    expect(ids(stepReports.accepted)).toEqual(['1-a pass'])
    expect(ids(stepReports.refused)).toEqual(['x pass', '2-b pass', '2-b pass', '1-a pass', '1-a pass', '2-b pass'])
  })

  test('does not keep a call waiting for ever: the answer comes with `next_step`', async () => {
    const stepReports = openReports(30)
    expect(await stepReports.report(pass('1-a'))).toEqual({
      text: expect.stringContaining('still checks'),
      isError: false,
    })
    expect((await stepReports.next()).text).toContain('still checks')
    const next = stepReports.next()
    stepReports.direct({ kind: 'go-on' })
    expect((await next).text).toContain('Go on with the step `2-b`')
  })

  test('counts the time of a call from its arrival, and tells of each that is answered late', async () => {
    const stepReports = openReports(600_000)
    const late: unknown[] = []
    stepReports.listen({ onLate: (port) => void late.push(port) })
    const arrivedAgo = (ms: number) => ({ atMs: performance.now() - ms, port: 4711 })
    expect((await stepReports.report(pass('1-a'), arrivedAgo(599_990))).text).toContain('still checks')
    expect((await stepReports.next(arrivedAgo(700_000))).text).toContain('still checks')
    expect(late).toEqual([4711, 4711])
    stepReports.direct({ kind: 'go-on' })
    expect((await stepReports.next(arrivedAgo(700_000))).text).toContain('Go on with the step `2-b`')
    expect(late).toHaveLength(2)
  })

  test('tells an agent that asks too early which step is its own', async () => {
    expect((await openReports().next()).text).toContain('Go on with the step `1-a`')
  })

  test('notices each call', async () => {
    const stepReports = openReports()
    let calls = 0
    stepReports.listen({ onCall: () => void (calls += 1) })
    await stepReports.next()
    await stepReports.report(pass('x'))
    expect(calls).toBe(2)
  })
})
