import { describe, expect, test } from 'vitest'
import { createFindings } from '../../../src/report/data/console-and-network.ts'

const first = {
  console: `Total messages: 2 (Errors: 2, Warnings: 0)

[ERROR] Failed to load resource: the server responded with a status of 404 (Not Found) @ http://a/help:0
[ERROR] Failed to load resource: the server responded with a status of 404 (Not Found) @ http://a/favicon.ico:0
[WARNING] old @ http://a/help:1
TypeError: x is not a function
    at f (http://a/a.js:1:2)
`,
  network: `1. [GET] http://a/help => [404] Not Found
2. [GET] http://a/a.js => [200] OK
3. [POST] http://a/gone => [FAILED] net::ERR_CONNECTION_REFUSED
4. [GET] http://a/left => [FAILED] net::ERR_ABORTED
5. [GET] http://a/slow
`,
}

describe('what the browser told while a step was under way', () => {
  test('are errors of its console and requests that failed', () => {
    expect(createFindings()(first)).toEqual({
      consoleErrors: {
        count: 2,
        first: [
          'Failed to load resource: the server responded with a status of 404 (Not Found) @ http://a/help:0',
          'TypeError: x is not a function',
        ],
      },
      failedRequests: {
        count: 2,
        statuses: ['404', 'ERR_CONNECTION_REFUSED'],
        first: ['GET http://a/help: 404 Not Found', 'POST http://a/gone: ERR_CONNECTION_REFUSED'],
      },
    })
    expect(createFindings()({ network: '1. [GET] http://a/ => [200] OK\n' })).toBeUndefined()
    expect(createFindings()({})).toBeUndefined()
  })

  test('belongs to the step in which it was new, though lists go on', () => {
    const findingsOf = createFindings()
    findingsOf(first)
    expect(findingsOf(first)).toBeUndefined()
    const later = { ...first, network: `${first.network}6. [GET] http://a/help => [404] Not Found\n` }
    expect(findingsOf(later)).toMatchObject({ consoleErrors: { count: 0 }, failedRequests: { count: 1 } })
    // What was thrown is listed behind messages that came later.
    const thrown = { console: first.console.replace('TypeError', '[ERROR] new @ http://a/:1\nTypeError') }
    expect(findingsOf(thrown)?.consoleErrors.first).toEqual(['new @ http://a/:1'])
    // In another tab, and back in the one before.
    expect(findingsOf({ console: '[ERROR] other @ http://b/:1\n' })?.consoleErrors.count).toBe(1)
    expect(findingsOf(later)).toBeUndefined()
  })

  test('is bounded', () => {
    const many = { console: Array.from({ length: 5000 }, (_, n) => `[ERROR] ${n}${'x'.repeat(5000)}`).join('\n') }
    const findings = createFindings()(many)
    expect(findings?.consoleErrors.count).toBe(5000)
    expect(JSON.stringify(findings).length).toBeLessThan(30_000)
  })
})
