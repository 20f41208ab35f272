import { describe, expect, test } from 'vitest'
import { skipReason } from '../support/browser-project.ts'
import { act, ends, onlyStep, providerNames, providers, replies, useBrowserAgent } from '../support/browser-agent.ts'
import type { ModelReply, ModelScript } from '../support/model-server.ts'
import { startOddPages } from '../support/odd-pages.ts'

const pass = { step: onlyStep, status: 'pass', evidence: [{ quote: 'Start' }] }
const report = act('report_step', pass)
const failed = act('report_step', { step: onlyStep, status: 'fail', observed: 'No.' })
const look = act('browser_navigate', { url: 'http://127.0.0.1:9/' })
const soon = { 'retry-after-ms': '20' }

const error = (status: number, message: string, rest: Partial<ModelReply> = {}): ModelReply => ({
  kind: 'error',
  status,
  message,
  ...rest,
})

type Case = readonly [reply: ModelReply, cause: string, message: RegExp]

/** What each says, for ever; the first answer to a request that cannot be tried again. */
const errors: Readonly<Record<string, Case>> = {
  'a key that is wrong': [error(401, 'bad key'), 'auth', /^bad key\.$/],
  'a quota that is used up': [
    error(429, 'You exceeded your current quota.', { headers: soon }),
    'budget',
    /current quota/,
  ],
  'a wrong address': [
    error(404, 'no such model'),
    'model',
    /has no such address, or knows no such model \(404\).*Check key, name of the model and address/,
  ],
  'a context too long': [
    error(400, 'prompt is too long: 300000 tokens > 200000 maximum'),
    'model',
    /takes no request of this length \(400\): .*300000.* or choose a model that takes longer requests/,
  ],
  'a filter before the model': [
    error(400, 'Output blocked by content filtering policy'),
    'model',
    /filter that refuses the request \(400\).*Reword the step/,
  ],
  'a proxy': [
    error(200, '', { body: '<html><h1>Log in</h1>' }),
    'model',
    /is no answer of a model.*It begins: <html>.*Check its address/,
  ],
  'another bad request': [
    error(400, 'no such parameter'),
    'model',
    /refuses the request \(400\): no such parameter\.$/,
  ],
}

const unknown: ModelReply = { kind: 'answer', text: 'Let me see.', calls: [{ name: 'look_around', input: {} }] }
/** How models end that report nothing, after their first look. */
const odd: Readonly<Record<string, Case>> = {
  refusal: [
    { kind: 'answer', text: 'I cannot help with that.', ending: 'refusal' },
    'model',
    /refused, or a filter.*finish reason `content-filter.*cannot help/,
  ],
  filter: [
    { kind: 'answer', text: 'So', ending: 'filter' },
    'model',
    /refused, or a filter.*finish reason `content-filter.*Reword/,
  ],
  'cut-off': [
    { kind: 'answer', text: 'I thi', ending: 'cut-off' },
    'model',
    /was cut off \(finish reason `length.*I thi/,
  ],
  empty: [{ kind: 'answer' }, 'model', /gave an empty answer \(finish reason `stop/],
  'unknown tools for ever': [unknown, 'model', /called tools that do not exist.*`look_around`.*Let me see/],
  'an end without a report': [ends, 'no-verdict', /ended its work by itself \(finish reason `stop.*All is done/],
}

const casesOf = (all: Readonly<Record<string, Case>>) =>
  providerNames.flatMap((provider) => Object.entries(all).map(([name, one]) => [provider, name, one] as const)) // rows

describe.skipIf(skipReason !== '')(`odd models${skipReason}`, () => {
  const agent = useBrowserAgent()

  test.each(casesOf(errors))('%s: %s', async (provider, _name, [reply, cause, message]) => {
    const { error: told, requests } = await agent.work({ provider, script: replies(reply) })
    expect([told?.cause, told?.message]).toEqual([cause, expect.stringMatching(message)])
    expect(told?.message).not.toContain('scripted-key')
    expect(requests).toHaveLength(1)
  })

  test.each(casesOf(odd))('%s: %s', async (provider, _name, [reply, cause, message]) => {
    const { error: told, accepted, events } = await agent.work({ provider, script: replies(look, reply) })
    expect([told?.cause, told?.message]).toEqual([cause, expect.stringMatching(message)])
    expect(told?.message).not.toContain('maxModelSteps')
    expect(accepted).toEqual([])
    const usage = events.findLast(({ type }) => type === 'usage')
    expect(usage).toMatchObject({ turns: expect.toSatisfy((turns) => turns > 0) })
  })

  test('google: a prompt that is blocked', async () => {
    const body = JSON.stringify({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
    const { error: told } = await agent.work({ provider: 'google', script: replies(error(200, '', { body })) })
    expect([told?.cause, told?.message]).toEqual([
      'model',
      expect.stringMatching(/refused, or a filter.*content-filter/),
    ])
  })

  test.each(providerNames)('%s: what passes is waited for, as the provider asks', async (provider) => {
    const limits = Array.from({ length: 2 }, () => error(429, 'Slow down', { headers: soon }))
    const overloads = [error(529, 'Overloaded', { headers: soon }), error(503, 'Overloaded', { headers: soon })]
    const script = replies(...limits, ...overloads, error(500, 'Oops', { headers: soon }), failed, ends)
    const { error: told, accepted, events } = await agent.work({ provider, script })
    expect(told).toBeUndefined()
    expect(accepted).toHaveLength(1)
    expect(events).toContainEqual({ type: 'waiting' })
  })

  test.each<[what: string, reply: ModelReply, message: RegExp]>([
    [
      'a limit',
      error(429, 'Slow down', { headers: soon }),
      /limits how much may be asked \(429\): Slow down\. It was asked 7 times\. .*run fewer specs at once/,
    ],
    [
      'an overload',
      error(529, 'Overloaded', { headers: soon }),
      /provider is overloaded \(529\): Overloaded\. It was asked 7 times\. Try again later/,
    ],
    ['an error of its own', error(500, 'Oops', { headers: soon }), /error of its own \(500\): Oops\./],
  ])('%s that lasts is said in the end', async (_what, reply, message) => {
    const { error: told } = await agent.work({ script: replies(reply) })
    expect([told?.cause, told?.message]).toEqual(['model', expect.stringMatching(message)])
  })

  test('a model that was silent until the end of the run is named', async () => {
    const ending = new AbortController()
    const script: ModelScript = () => {
      setTimeout(() => ending.abort(), 1_000)
      return { kind: 'silence' }
    }
    const { error: told } = await agent.work({ script, signal: ending.signal })
    expect([told?.cause, told?.message]).toEqual([
      'model',
      expect.stringMatching(`^The model \`${providers.openai.model}\` had not answered for \\d+ s\\.$`),
    ])
  })

  test('a report beside an action is refused, and counts in a turn of its own', async () => {
    await using pages = await startOddPages()
    const open = { name: 'browser_navigate', input: { url: `${pages.url}/` } }
    const both: ModelReply = { kind: 'answer', calls: [open, { name: 'report_step', input: pass }] }
    const { accepted, results, error: told } = await agent.work({ script: replies(both, report, ends) })
    expect(results[1]).toContain('before you had seen what they gave')
    expect(accepted.map(({ id, status }) => [id, status])).toEqual([[onlyStep, 'pass']])
    expect(told).toBeUndefined()
    const stubborn = await agent.work({ script: replies(both, ends) })
    expect(stubborn.accepted).toEqual([])
    expect(stubborn.error?.message).toMatch(
      /ended its work by itself.*"All is done\."\s.*report was refused: .*together with other calls/,
    )
    expect(stubborn.error?.cause).toBe('no-verdict')
  })

  test('reports that are refused for ever, or too long, are told of', async () => {
    const wrongly = await agent.work({ script: replies(act('report_step', { ...pass, status: 'green' })) })
    expect(wrongly.error?.message).toMatch(
      /was stopped: its reports were refused.*10 reports were refused, the last one: .*status/,
    )
    const long = act('report_step', { ...pass, observed: 'x'.repeat(1_100_000) })
    const tooLong = await agent.work({ script: replies(long, ends) })
    expect(tooLong.error?.message).toMatch(/A report was refused: .*at most 1048576 bytes/)
  })
})
