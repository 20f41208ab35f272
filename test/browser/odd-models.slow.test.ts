import { describe, expect, test } from 'vitest'
import { skipReason } from '../support/browser-project.ts'
import { onlyStep, providerNames, useBrowserAgent } from '../support/browser-agent.ts'
import type { ModelReply, ModelScript } from '../support/model-server.ts'
import { startOddPages } from '../support/odd-pages.ts'

const look = (url: string): ModelReply => ({ kind: 'answer', calls: [{ name: 'browser_navigate', input: { url } }] })
const pass = { step: onlyStep, status: 'pass', evidence: [{ quote: 'Start' }] }
const report: ModelReply = { kind: 'answer', calls: [{ name: 'report_step', input: pass }] }
const ends: ModelReply = { kind: 'answer', text: 'All is done.' }

/** Replies one after the other; the last one for ever. */
function replies(...all: readonly ModelReply[]): ModelScript {
  let count = 0
  return () => all[Math.min(count++, all.length - 1)] ?? ends
}

describe.skipIf(skipReason !== '')(`odd models${skipReason}`, () => {
  const agent = useBrowserAgent()

  test.each(providerNames)(
    '%s: a report beside an action is refused, and counts in a turn of its own',
    async (provider) => {
      await using pages = await startOddPages()
      const open = { name: 'browser_navigate', input: { url: `${pages.url}/` } }
      const both: ModelReply = { kind: 'answer', calls: [open, { name: 'report_step', input: pass }] }
      const { accepted, results, error } = await agent.work({ provider, script: replies(both, report, ends) })
      expect(results[1]).toContain('before you had seen what they gave')
      expect(accepted.map(({ id, status }) => [id, status])).toEqual([[onlyStep, 'pass']])
      expect(error).toBeUndefined()
      const stubborn = await agent.work({ provider, script: replies(both, ends) })
      expect(stubborn.accepted).toEqual([])
      expect(stubborn.error?.message).toMatch(
        /ended its work by itself.*"All is done\."\s.*report was refused: .*together with other calls/,
      )
      expect(stubborn.error?.cause).toBe('no-verdict')
    },
  )

  const sorry = 'I cannot help with that.'
  const unknown: ModelReply = { kind: 'answer', text: 'Let me see.', calls: [{ name: 'look_around', input: {} }] }
  const odd: Readonly<Record<string, readonly [reply: ModelReply, cause: string, message: RegExp]>> = {
    refusal: [
      { kind: 'answer', text: sorry, ending: 'refusal' },
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

  test.each(providerNames.flatMap((provider) => Object.keys(odd).map((name) => [provider, name] as const)))(
    // pairs
    '%s: %s',
    async (provider, name) => {
      const [reply, cause, message] = odd[name] ?? raise()
      const { error, accepted, events } = await agent.work({
        provider,
        script: replies(look('http://127.0.0.1:9/'), reply),
      })
      expect([error?.cause, error?.message]).toEqual([cause, expect.stringMatching(message)])
      expect(error?.message).not.toContain('maxModelSteps')
      expect(accepted).toEqual([])
      expect(events.findLast(({ type }) => type === 'usage')).toMatchObject({
        turns: expect.toSatisfy((turns) => turns > 0),
      })
    },
  )

  test('google: a prompt that is blocked', async () => {
    const body = JSON.stringify({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
    const { error } = await agent.work({ provider: 'google', script: replies({ kind: 'error', status: 200, body }) })
    expect([error?.cause, error?.message]).toEqual([
      'model',
      expect.stringMatching(/refused, or a filter.*content-filter/),
    ])
  })

  test.each(providerNames)('%s: reports that are refused for ever, or too long, are told of', async (provider) => {
    const wrong: ModelReply = { kind: 'answer', calls: [{ name: 'report_step', input: { ...pass, status: 'green' } }] }
    const wrongly = await agent.work({ provider, script: replies(wrong) })
    expect(wrongly.error?.message).toMatch(
      /was stopped: its reports were refused.*10 reports were refused, the last one: .*status/,
    )
    const long = { ...pass, observed: 'x'.repeat(1_100_000) }
    const tooLong = await agent.work({
      provider,
      script: replies({ kind: 'answer', calls: [{ name: 'report_step', input: long }] }, ends),
    })
    expect(tooLong.error?.message).toMatch(/A report was refused: .*at most 1048576 bytes/)
  })
})

function raise(): never {
  throw new Error('no such case')
}
