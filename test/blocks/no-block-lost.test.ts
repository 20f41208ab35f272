import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBlockServices } from '../../src/blocks/service/block-services.ts'
import { Captures } from '../../src/blocks/captures.ts'
import { runBlock } from '../../src/blocks/run-blocks.ts'
import { openShell, type Shell } from '../../src/system/shell/open-shell.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import type { Block } from '../../src/spec/spec.ts'
import { isDeep } from '../support/depth.ts'
import fc from '../support/fast-check.ts'
import { script, transcript } from './use-blocks.ts'
import { useLauncher } from '../support/use-launcher.ts'

const launcher = useLauncher()

/** Ways to write a number to `log`, and what may happen to the shell on the way. */
const ways: Readonly<Record<string, { block(n: number): Block; timeoutMs?: number; isKilledFromOutside?: true }>> = {
  script: { block: (n) => script(`echo ${n} >>log`) },
  transcript: { block: (n) => transcript(`$ echo ${n} >>log\n$ echo ${n}\n${n}`) },
  exit: { block: (n) => script(`echo ${n} >>log; exit 0`) },
  'killed by itself': { block: (n) => script(`echo ${n} >>log; kill -KILL $$`) },
  'killed before': { block: (n) => script(`kill -KILL $$\necho ${n} >>log`) },
  replaced: { block: (n) => script(`echo ${n} >>log; exec true`) },
  'too slow': { block: (n) => script(`echo ${n} >>log; sleep 60`), timeoutMs: 60 },
  'killed from outside': { block: (n) => script(`echo ${n} >>log; sleep 60`), isKilledFromOutside: true },
  'perhaps killed from outside': { block: (n) => script(`echo ${n} >>log`), isKilledFromOutside: true },
}

interface Told {
  readonly n: number
  readonly status: BlockOutcome['status']
}

/** Runs numbered blocks in one shell that is begun again whenever it is lost. */
async function runNumbered(
  chosen: readonly string[],
  delaysMs: readonly number[],
): Promise<{ told: Told[]; log: number[] }> {
  const cwd = mkdtempSync(join(tmpdir(), 'mdtest-numbered-'))
  const tempDir = mkdtempSync(join(tmpdir(), 'mdtest-numbered-temp-'))
  let pid = 0
  const open = (): Shell =>
    openShell({
      launcher,
      cwd,
      tempDir,
      env: { PATH: process.env.PATH ?? '' },
      canRecover: true,
      onSpawn: (spawned) => (pid = spawned),
    })
  let shell = open()
  const redact = (text: string): string => text
  const own = { afterFailure: 'stop', withheld: new Set<string>(), redact } as const // a literal
  const context = { ...own, cwd, services: createBlockServices(redact), captures: new Captures() }
  const { signal } = new AbortController()
  const told: Told[] = []
  for (const [index, name] of chosen.entries()) {
    const { block, timeoutMs = 15_000, isKilledFromOutside } = ways[name] ?? never(name)
    const running = runBlock(block(index), { ...context, shell, signal, timeoutMs })
    if (isKilledFromOutside) setTimeout(() => kill(pid), delaysMs[index])
    const { status } = await running
    told.push({ n: index, status })
    if (status === 'pass') continue
    await shell.recover()
    // One that was killed while it saved its state stays lost.
    if ((await shell.run(':', { timeoutMs: 15_000, streams: 'merged' })).status === 'lost') {
      await shell.close()
      shell = open()
    }
  }
  await shell.close()
  const log = readFileSync(join(cwd, 'log'), 'utf8').split('\n').filter(Boolean).map(Number)
  for (const directory of [cwd, tempDir]) rmSync(directory, { recursive: true })
  return { told, log }
}

function never(name: string): never {
  throw new TypeError(name)
}

function kill(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

test('of many blocks in shells that die, each runs once or is told to have failed', async () => {
  const name = fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom('script', 'transcript') },
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(ways)) },
  )
  // They wait for most of their time, so several shells run at once.
  const runs = fc.sample(
    fc.array(fc.tuple(name, fc.integer({ min: 0, max: 40 })), { minLength: 50, maxLength: 50 }),
    isDeep ? 20 : 3,
  )
  const results = await Promise.all(
    runs.map((run) =>
      runNumbered(
        run.map(([way]) => way),
        run.map(([, delayMs]) => delayMs),
      ),
    ),
  )
  let passedCount = 0
  for (const { told, log } of results) {
    expect(told).toHaveLength(50)
    expect(log).toEqual([...new Set(log)].toSorted((a, b) => a - b))
    const passed = told.filter(({ status }) => status === 'pass').map(({ n }) => n)
    expect(passed.filter((n) => !log.includes(n))).toEqual([])
    passedCount += passed.length
  }
  const all = 50 * runs.length
  expect(passedCount).toBeGreaterThan(all / 2)
  expect(passedCount).toBeLessThan(all)
})
