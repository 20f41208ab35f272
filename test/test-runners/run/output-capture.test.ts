import { expect, test } from 'vitest'
import { go } from '../../../src/test-runners/templates/go.ts'
import { captureOutput } from '../../../src/test-runners/run/start-runner.ts'

test('captureOutput keeps what was printed, and for people what they would read of it', () => {
  const shown: string[] = []
  const capture = captureOutput({
    maxOutputBytes: 1024,
    showLine: go.showLine,
    onLine: (line) => void shown.push(line),
  })
  const event = JSON.stringify({ Action: 'output', Package: 'p', Test: 'T', Output: '--- FAIL: T (0.00s)\n' })
  for (const line of [event, '{"Action":"fail","Package":"p"}', '{"broken']) capture.onLine('stdout', line)
  capture.onLine('stderr', event)
  expect(capture.stdout.text).toBe(`${event}\n{"Action":"fail","Package":"p"}\n{"broken\n`)
  expect(capture.both.text).toBe(`--- FAIL: T (0.00s)\n{"broken\n${event}\n`)
  expect(shown).toEqual(['--- FAIL: T (0.00s)', '{"broken', event])
  expect(capture.stdout.totalBytes).toBe(capture.stdout.text.length)
})
