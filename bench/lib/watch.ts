import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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

/**
 * Starts `vitest --watch` in a project that has the reporter as `reporter.mjs`, and waits for its first run.
 * @param {{ dir: string, write: (name: string, text: string) => Promise<void> }} project
 * @param {{ tests: number }} options how many have to pass in each run
 */
export async function startWatch({ dir, write }, { tests }) {
  const argv = [join(dir, 'node_modules/vitest/vitest.mjs'), '--watch', '--reporter=./reporter.mjs']
  const { PATH, HOME, TMPDIR = '/tmp' } = process.env
  const child = spawn(process.execPath, argv, {
    cwd: dir,
    env: { PATH, HOME, TMPDIR, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => void child.once('exit', resolve))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const runEnd = async () => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('vitest --watch has ended by itself')
      if (value.startsWith('run ')) return JSON.parse(value.slice('run '.length))
    }
  }
  const check = ({ passed, all }) => {
    assertCount('passed tests', { expected: tests, actual: passed })
    assertCount('tests in all', { expected: tests, actual: all })
  }
  check(await runEnd())
  return {
    /** Saves a file; milliseconds until the run that it starts has ended. */
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
