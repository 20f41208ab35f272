import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { errorCode } from '../../../src/system/error-facts.ts'
import { runProgram } from '../../../src/system/process/run-program.ts'

const cwd = tmpdir()
const env = { PATH: process.env.PATH }
const ask = (script: string, more: object = {}) => runProgram(['sh', '-c', script], { cwd, env, ...more })

test('gives every byte, and nothing of our own environment', async () => {
  const stdin = Buffer.from([0, 0xff, 0x0d, 0x0a, 0x0a])
  expect(await ask('cat', { stdin })).toEqual({ stdout: stdin, stderr: Buffer.alloc(0) })
  const names = (await ask('env', { env: { PATH: process.env.PATH, ONE: '1', NONE: undefined } })).stdout.toString()
  expect(names).toContain('ONE=1')
  expect(names).not.toMatch(/^(?:HOME|NONE|VITEST)=/m)
})

test.each<[string, object, string]>([
  ['exit 3', {}, 'it ended with exit code 3'],
  ['kill -HUP $$', {}, 'it was ended by SIGHUP'],
  ['exec sleep 60', { timeoutMs: 50 }, 'it was ended by SIGTERM'],
])('%s: says how it ended', async (script, more, message) => {
  expect((await ask(script, more)).failure?.message).toBe(message)
})

test('says what the system says of a program, or a folder, that is not there', async () => {
  const none = await runProgram(['no-such-program'], { cwd, env })
  const nowhere = await runProgram(['true'], { cwd: '/nonexistent', env })
  expect([none, nowhere].map(({ failure }) => errorCode(failure?.cause))).toEqual(['ENOENT', 'ENOENT'])
  expect(none.failure?.message).toBe('spawn no-such-program ENOENT')
})

test('is stopped by its caller', async () => {
  const caller = new AbortController()
  const asked = ask('exec sleep 60', { signal: caller.signal })
  setTimeout(() => caller.abort(new Error('enough')), 50)
  expect((await asked).failure?.cause).toBe(caller.signal.reason)
})

test('has no ear for the signals of our process', async () => {
  const before = process.eventNames().map((name) => [name, process.listenerCount(name)])
  const asked = ask('exec sleep 0.05')
  await new Promise((done) => setTimeout(done, 20))
  expect(process.eventNames().map((name) => [name, process.listenerCount(name)])).toEqual(before)
  await asked
})
