import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { skipReason } from '../support/browser-project.ts'
import { onlyStep, providerNames, providers, useBrowserAgent } from '../support/browser-agent.ts'
import type { ModelReply, ModelScript } from '../support/model-server.ts'

const report: ModelReply = {
  kind: 'answer',
  calls: [{ name: 'report_step', input: { step: onlyStep, status: 'fail', observed: 'No.' } }],
}
const ends: ModelReply = { kind: 'answer', text: 'All is done.' }
const soon = { 'retry-after-ms': '20' }

function replies(...all: readonly ModelReply[]): ModelScript {
  let count = 0
  return () => all[Math.min(count++, all.length - 1)] ?? ends
}

const error = (status: number, message: string, rest: Partial<ModelReply> = {}): ModelReply => ({
  kind: 'error',
  status,
  message,
  ...rest,
})

/** What each says, for ever; the first answer to a request that cannot be tried again. */
const errors: Readonly<Record<string, readonly [reply: ModelReply, cause: string, message: RegExp]>> = {
  'a key that is wrong': [error(401, 'bad key'), 'auth', /^bad key\.$/],
  'a quota that is used up': [
    error(429, 'You exceeded your current quota.', { headers: soon }),
    'budget',
    /current quota/,
  ],
  'a wrong address': [
    error(404, 'no such model'),
    'model',
    /http:\/\/127\.0\.0\.1:\d+\/\S+ is not there, or knows no such model \(404\).*Check key, name of the model and address/,
  ],
  'a context too long': [
    error(400, 'prompt is too long: 300000 tokens > 200000 maximum'),
    'model',
    /too long for the model: .*300000.*the descriptions of the tools \d.* kB.*or choose a model that takes longer requests/,
  ],
  'a limit that outlasts the scenario': [
    error(429, 'Slow down', { headers: { 'retry-after': '3600' } }),
    'model',
    /limits how much may be asked \(429\): Slow down\..*wants 3600 s to pass, which is longer than the time that is left: raise `timeout`.*run fewer specs at once/,
  ],
  'a filter before the model': [
    error(400, 'Output blocked by content filtering policy'),
    'model',
    /filter of the provider refuses the request \(400\).*Reword the step/,
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

describe.skipIf(skipReason !== '')(`errors of models${skipReason}`, () => {
  const agent = useBrowserAgent()

  test.each(providerNames.flatMap((provider) => Object.keys(errors).map((name) => [provider, name] as const)))(
    // pairs
    '%s: %s',
    async (provider, name) => {
      const [reply, cause, message] = errors[name] ?? [ends, '', /^$/]
      const { error: told, requests } = await agent.work({ provider, script: replies(reply) })
      expect([told?.cause, told?.message]).toEqual([cause, expect.stringMatching(message)])
      expect(told?.message).not.toContain('scripted-key')
      expect(requests).toHaveLength(1)
    },
  )

  test.each(providerNames)('%s: what passes is waited for, as the provider asks', async (provider) => {
    const limits = Array.from({ length: 7 }, () => error(429, 'Slow down', { headers: soon }))
    const overloads = [error(529, 'Overloaded', { headers: soon }), error(503, 'Overloaded', { headers: soon })]
    const script = replies(...limits, ...overloads, error(500, 'Oops', { headers: soon }), report, ends)
    const { error: told, accepted, events } = await agent.work({ provider, script })
    expect(told).toBeUndefined()
    expect(accepted).toHaveLength(1)
    expect(events).toContainEqual({ type: 'waiting' })
  })

  test.each(providerNames)('%s: what does not pass is said at the end of the time', async (provider) => {
    const work = (reply: ModelReply): ReturnType<typeof agent.work> =>
      agent.work({ provider, script: replies(reply), timeoutMs: 5_100 })
    expect((await work(error(529, 'Overloaded'))).error?.message).toMatch(
      /provider is overloaded \(529\): Overloaded\. It was asked once\. Try again later/,
    )
    expect((await work(error(500, 'Oops'))).error?.message).toMatch(/error of its own \(500\): Oops\./)
    expect((await work({ kind: 'drop' })).error?.message).toMatch(
      /The connection to http:\S+ broke before the answer was whole.*It was asked once/,
    )
    const url = 'http://127.0.0.1:59999/v1'
    const nobody = await agent.work({ provider, script: replies(ends), url, timeoutMs: 5_100 })
    expect([nobody.error?.cause, nobody.error?.message]).toEqual([
      'model',
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:59999\S* cannot be reached \(ECONNREFUSED\)\. Check the address/),
    ])
  })

  test.each(providerNames)('%s: what one is asked to wait, all wait', async (provider) => {
    const folder = mkdtempSync(join(tmpdir(), 'pause-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const pauseFile = join(folder, 'pause')
    const first = replies(error(429, 'Slow down', { headers: { 'retry-after': '2' } }), report, ends)
    const startMs = performance.now()
    const one = agent.work({ provider, pauseFile, script: first })
    await vi.waitUntil(() => existsSync(pauseFile), { timeout: 60_000 })
    // It begins in the middle of that.
    const both = await Promise.all([one, agent.work({ provider, pauseFile, script: replies(report, ends) })])
    expect(both.map(({ accepted }) => accepted.length)).toEqual([1, 1])
    const [asked, other] = both.map(({ requests }) => requests.map(({ atMs }) => atMs - startMs))
    expect(asked?.[1]).toBeGreaterThan(2_000)
    expect(other?.[0]).toBeGreaterThan(2_000)
  })

  test.each(providerNames)('%s: a model that was silent until the end of the run is named', async (provider) => {
    const ending = new AbortController()
    const script: ModelScript = () => {
      setTimeout(() => ending.abort(), 1_600)
      return { kind: 'silence' }
    }
    const { error: told } = await agent.work({ provider, script, signal: ending.signal })
    expect([told?.cause, told?.message]).toEqual([
      'model',
      `The model \`${providers[provider].model}\` had not answered for 2 s.`,
    ])
  })

  test.each(providerNames)(
    '%s: a proxy that closes the connection at once is a broken connection',
    async (provider) => {
      const server = createServer((request) => request.socket.destroy())
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo // it listens
      const url = `http://127.0.0.1:${port}/v1`
      const { error: told } = await agent.work({ provider, script: replies(ends), url, timeoutMs: 5_100 })
      expect(told?.message).toMatch(/The connection to .* broke/)
    },
  )
})
