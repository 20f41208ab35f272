import { execFileSync } from 'node:child_process'
import { readFile, rename } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { execa } from 'execa'
import { expect } from 'vitest'
import type { Project } from './create-project.ts'
import { lane } from './lane.ts'

/** Each test of a run with its state and the note of a skip. */
export type RanTests = Readonly<Record<string, string>>

/** A real `vitest --watch`, on a pseudo-terminal so that it takes keys. */
export interface WatchSession extends AsyncDisposable {
  /** Does something and waits for a run of these tests, which may hold matchers. Others may come before it. */
  expectRun(act: () => Promise<void> | void, tests: object): Promise<void>
  /** Does something and waits for the run that it starts. */
  runAfter(act: () => Promise<void> | void): Promise<void>
  /** All runs so far. */
  runs(): Promise<readonly RanTests[]>
  /** Writes a file in one go: a half of it is never read. */
  save(name: string, text: string): Promise<void>
  press(key: string): void
  /** What the terminal shows, from the beginning. */
  shown(): string
  /** Waits until it shows this. */
  expectShown(text: string): Promise<void>
}

/** Files of every project that is watched: the reporter notes runs where Vitest does not watch. */
export const watchFiles = {
  'node_modules/runs.mjs': `import { appendFileSync } from 'node:fs'
const file = new URL('./runs.jsonl', import.meta.url)
export default class {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => {
      const { state, note } = test.result()
      return [test.module.relativeModuleId + ' > ' + test.fullName, note ? state + ': ' + note : state]
    }))
    appendFileSync(file, JSON.stringify(Object.fromEntries(tests)) + '\\n')
  }
}
`,
}

/** For so long after the end of a run a change counts as one of its specs, in milliseconds. */
const settlingMs = 600
const farMs = 120_000

/** Whether there is the `script` of util-linux; the one of macOS and BSD takes other arguments. */
export function hasTerminal(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux')
  } catch {
    return false
  }
}

/** A word of a shell. */
function quoteWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Starts a watch and waits for its first run, of these tests where they are given. */
export async function startWatch(
  project: Project,
  first: object = expect.anything(),
  args: readonly string[] = [],
): Promise<WatchSession> {
  const reporters = ['--reporter=default', `--reporter=${project.path('node_modules/runs.mjs')}`]
  const argv = [lane.node, 'node_modules/vitest/vitest.mjs', '--watch', ...reporters, ...args]
  const { PATH, HOME, TMPDIR = '/tmp' } = process.env
  const running = execa(
    'script',
    ['-qec', `stty cols 100 rows 40; exec ${argv.map(quoteWord).join(' ')}`, '/dev/null'],
    {
      cwd: project.dir,
      env: { PATH, HOME, TMPDIR, TERM: 'xterm', NO_COLOR: '1' },
      extendEnv: false,
      reject: false,
      timeout: 3 * farMs,
    },
  )
  let output = ''
  running.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const runs = async (): Promise<readonly RanTests[]> => {
    const text = await readFile(project.path('node_modules/runs.jsonl'), 'utf8').catch(() => '')
    return text.split('\n').flatMap((line): RanTests[] => (line === '' ? [] : [JSON.parse(line)]))
  }
  const poll = { timeout: farMs, interval: 50 }
  const expectRun: WatchSession['expectRun'] = async (act, tests) => {
    await setTimeout(settlingMs)
    const before = (await runs()).length
    await act()
    await expect.poll(async () => (await runs()).slice(before), poll).toContainEqual(tests)
  }
  const expectShown = (text: string): Promise<void> => expect.poll(() => output, poll).toContain(text)
  const session: WatchSession = {
    expectRun,
    runAfter: (act) => expectRun(act, expect.anything()),
    runs,
    async save(name, text) {
      await project.write('node_modules/saved', text)
      await rename(project.path('node_modules/saved'), project.path(name))
    },
    press: (key) => void running.stdin.write(key),
    shown: () => output,
    expectShown,
    async [Symbol.asyncDispose]() {
      running.stdin.write('q')
      const hasEnded = await Promise.race([running.then(() => true), setTimeout(10_000, false)])
      if (!hasEnded) running.kill('SIGKILL')
      await running
    },
  }
  try {
    await expect.poll(runs, poll).toContainEqual(first)
    await expectShown('for file changes')
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
  return session
}
