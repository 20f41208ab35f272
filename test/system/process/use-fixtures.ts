import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Command } from '../../../src/system/process/command.ts'
import { readProcessTable } from '../../../src/system/process/trees/process-table.ts'
import type { RunOptions } from '../../../src/system/process/run-command.ts'
import { useLauncher } from '../../support/use-launcher.ts'

export interface Fixtures {
  /** A directory of this test. */
  readonly directory: string
  /** A mark that everything of this test carries. */
  readonly runMark: string
  /** Limits that no test should reach, and marks. */
  readonly options: RunOptions & { readonly runMark: string }
  /** A program of `fixtures/bin`. */
  command(name: string, ...args: readonly string[]): Command
  /** A script of a shell, which starts in a fraction of what Node.js takes. */
  script(code: string): Command
}

const bin = fileURLToPath(new URL('../../../fixtures/bin/', import.meta.url))
const environment = { PATH: process.env.PATH ?? '', HOME: tmpdir() }

/** Fixture programs for the tests of a file. Each test fails that leaves a process, and none outlives it. */
export function useFixtures(): Fixtures {
  const launcher = useLauncher()
  let directory = ''
  let runMark = ''

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mdtest-exec-'))
    runMark = `run-${crypto.randomUUID()}`
  })

  afterEach(async () => {
    const left = carriers(runMark)
    for (const pid of left) end(pid)
    await rm(directory, { recursive: true, force: true })
    expect(left).toEqual([])
  })

  return {
    get directory() {
      return directory
    },
    get runMark() {
      return runMark
    },
    get options() {
      return { launcher, hardTimeoutMs: 120_000, graceMs: 500, mark: `command-${crypto.randomUUID()}`, runMark }
    },
    command(name, ...args) {
      const file = join(bin, name)
      const argv = name.endsWith('.mjs') ? ([process.execPath, file] as const) : ([file] as const)
      return { argv: [...argv, ...args], cwd: directory, env: environment }
    },
    script: (code) => ({ argv: ['sh', '-c', code], cwd: directory, env: environment }),
  }
}

/** Not by the code under test, which may be what is broken. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}

/** Whether a process with this id is there and not merely a zombie. */
export function isAlive(pid: number): boolean {
  return readProcessTable().some((entry) => entry.pid === pid && !entry.isZombie)
}

/** Ids of the live processes that carry the mark. */
export function carriers(mark: string): readonly number[] {
  return readProcessTable({ mark })
    .filter(({ isMarked }) => isMarked)
    .map(({ pid }) => pid)
}

/** Polls until `condition` holds; fails after `limitMs`, which no machine is too slow for. */
export async function until(condition: () => boolean, limitMs = 60_000): Promise<void> {
  await expect.poll(condition, { timeout: limitMs, interval: 10 }).toBe(true)
}
