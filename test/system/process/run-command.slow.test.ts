import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../src/system/process/run-command.ts'
import { useFixtures } from './use-fixtures.ts'

const fixtures = useFixtures()

test('output of a quarter of a gigabyte keeps memory bounded', async () => {
  const before = process.memoryUsage().rss
  let count = 0
  const rawLogFile = join(fixtures.directory, 'raw.log')
  const options = { ...fixtures.options, rawLogFile, onLine: () => void (count += 1) }
  const { end, tail } = await runCommand(fixtures.command('floods-output.mjs', '256'), options)
  expect(end).toEqual({ reason: 'exit', exitCode: 0 })
  expect(count).toBe(256 * 1024)
  expect(tail).toHaveLength(4096)
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  expect((await readFile(rawLogFile, 'utf8')).slice(-100)).toMatch(/^cut\| The log is full/m)
})
