import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Project } from './project.ts'
import { assertCount } from './wrong-count.ts'

/** Tells of the end of each run on a line of its own. */
export const reporter = `export default class {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    console.log('run ' + JSON.stringify({ passed, all: tests.length }))
  }
}
`

export interface Watch {
  /** Saves a file; milliseconds until the run that it starts has ended. */
  timeSave(name: string, text: string): Promise<number>
  end(): Promise<void>
}

/** As the reporter prints it. */
interface RunEnd {
  readonly passed: number
  readonly all: number
}

/**
 * Starts `vitest --watch` in a project that has the reporter as `reporter.mjs`, and waits for its first run.
 * @param tests how many have to pass in each run
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
