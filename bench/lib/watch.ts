import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Project } from './project.ts'
import { assertCount } from './wrong-count.ts'

/** A Vitest reporter that prints a line at the end of each run. */
export const reporter = `export default class {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    console.log('run ' + JSON.stringify({ passed, all: tests.length }))
  }
}
`

export interface Watch {
  /** Saves a file, waits for the end of the run that this starts, and returns the time in milliseconds. */
  timeSave(name: string, text: string): Promise<number>
  end(): Promise<void>
}

/** The line that the reporter prints, parsed. */
interface RunEnd {
  readonly passed: number
  readonly all: number
}

/**
 * Starts `vitest --watch` in a project that has `reporter` as `reporter.mjs`, and waits for the first run.
 * @param tests number of tests that must pass in each run
 */
export async function startWatch({ dir, write }: Project, tests: number): Promise<Watch> {
  const argv = [join(dir, 'node_modules/vitest/vitest.mjs'), '--watch', '--reporter=./reporter.mjs']
  const { PATH, HOME, TMPDIR = '/tmp' } = process.env
  const child = spawn(process.execPath, argv, {
    cwd: dir,
    env: { PATH, HOME, TMPDIR, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<unknown>((resolve) => void child.once('exit', resolve))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const runEnd = async (): Promise<RunEnd> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('vitest --watch has ended by itself')
      if (value.startsWith('run ')) return JSON.parse(value.slice('run '.length))
    }
  }
  const check = ({ passed, all }: RunEnd): void => {
    assertCount('passed tests', { expected: tests, actual: passed })
    assertCount('tests in all', { expected: tests, actual: all })
  }
  check(await runEnd())
  return {
    async timeSave(name, text) {
      const startedAtMs = performance.now()
      await write(name, text)
      const result = await runEnd()
      const durationMs = performance.now() - startedAtMs
      check(result)
      return durationMs
    },
    async end() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
