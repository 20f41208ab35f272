import { expect, test } from 'vitest'
import { readConsoleCounts } from '../../src/test-runners/console-counts.ts'
import { runnerNamed, runners } from '../../src/test-runners/runners.ts'

/** What a program may print without end: with a reader in quadratic time each of these is minutes. */
const parts = [
  ...['\n', ' \n', '\r\n', '{\n', '/\n', '# a\n', ' FAIL  a > b\n', '> ', '/a.b(1,2): error x [', '[ERROR] /a.b:[1'],
]
const lineChars = 16 * 1024

/** Lines come in pieces of this length. */
function endless(part: string): string {
  const chars = 64 * 1024
  const text = part.repeat(chars / part.length)
  return part.includes('\n') ? text : (text.match(new RegExp(`.{1,${lineChars}}`, 'g')) ?? []).join('\n')
}

test.for(runners)('$name is read in linear time', { timeout: 60_000 }, async ({ name, readResults }) => {
  for (const part of parts) {
    const stdout = endless(part)
    const results = await readResults({
      ...{ stdout, stderr: stdout, resultsDir: '/nowhere', root: '/nowhere', exitCode: 1, startedAtMs: 0 },
    })
    expect(results.counts?.passed ?? 0, `${name}: ${part}`).toBe(0)
  }
})

test('so is the console of whatever was run', { timeout: 60_000 }, () => {
  for (const part of parts) expect(readConsoleCounts(endless(part))?.passed ?? 0).toBe(0)
})

test('and what a test of Go printed', { timeout: 60_000 }, async () => {
  const event = (Action: string, Output?: string): string =>
    `${JSON.stringify({ Action, Package: 'p', Test: 'T', Output })}\n`
  const stdout = event('output', '\n').repeat(20_000) + event('fail')
  const { failingTests } = await runnerNamed('go').readResults({
    ...{ stdout, stderr: '', resultsDir: '/nowhere', root: '/nowhere', exitCode: 1, startedAtMs: 0 },
  })
  expect(failingTests).toMatchObject([{ name: 'T' }])
})
