import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { execa } from 'execa'
import type { Project } from './create-project.ts'
import { lane } from './lane.ts'

/** One run of a watch: what started it, and each test with its state and the note of a skip. */
export interface WatchRun {
  readonly trigger: string
  readonly tests: Readonly<Record<string, string>>
}

/** A real `vitest --watch`, on a pseudo-terminal so that it takes keys. */
export interface WatchSession extends AsyncDisposable {
  /** Does something and gives the one run that it started. */
  runAfter(act: () => Promise<void> | void): Promise<WatchRun>
  /** Does something and gives all runs that it started, so many at least, until nothing has happened for a while. */
  runsAfter(act: () => Promise<void> | void, atLeast?: number): Promise<readonly WatchRun[]>
  press(key: string): void
  /** What the terminal shows, from the beginning. */
  shown(): string
}

/** Files of every project that is watched: the reporter notes runs where Vitest does not watch. */
export const watchFiles = {
  'node_modules/runs.mjs': `import { appendFileSync } from 'node:fs'
const file = new URL('./runs.jsonl', import.meta.url)
let trigger = 'start'
export default class {
  onWatcherRerun(files, cause) { trigger = cause ?? 'rerun' }
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => {
      const { state, note } = test.result()
      return [test.module.relativeModuleId + ' > ' + test.fullName, note ? state + ': ' + note : state]
    }))
    appendFileSync(file, JSON.stringify({ trigger, tests: Object.fromEntries(tests) }) + '\\n')
  }
}
`,
}

/** For so long after its end a change counts as one of the spec's own, in milliseconds. */
const settlingMs = 600
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

/** How long nothing has to happen until a watch counts as being at rest, in milliseconds. */
const restMs = 1500

/** Starts a watch and waits for its first run. */
export async function startWatch(
  project: Project,
  args: readonly string[] = [],
): Promise<WatchSession & { readonly first: WatchRun }> {
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
      timeout: 110_000,
    },
  )
  let output = ''
  running.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const read = async (): Promise<readonly WatchRun[]> => {
    const text = await readFile(project.path('node_modules/runs.jsonl'), 'utf8').catch(() => '')
    return text.split('\n').flatMap((line): WatchRun[] => (line === '' ? [] : [JSON.parse(line)]))
  }
  const waitFor = async (count: number): Promise<readonly WatchRun[]> => {
    for (const endMs = performance.now() + 30_000; performance.now() < endMs; await setTimeout(20)) {
      const runs = await read()
      if (runs.length >= count) return runs
    }
    throw new Error(`The watch did not run ${count} times:\n${output}`)
  }
  const atRest = async (): Promise<readonly WatchRun[]> => {
    for (let before = -1; ;) {
      const runs = await read()
      if (runs.length === before) return runs
      before = runs.length
      await setTimeout(restMs)
    }
  }
  const [first] = await waitFor(1)
  if (first === undefined) throw new Error('unreachable')
  return {
    first,
    async runAfter(act) {
      await setTimeout(settlingMs)
      const before = (await read()).length
      await act()
      const runs = (await waitFor(before + 1)).slice(before)
      const [run] = runs
      if (run === undefined || runs.length > 1) throw new Error(`One run was expected, got ${JSON.stringify(runs)}`)
      return run
    },
    async runsAfter(act, atLeast = 0) {
      await setTimeout(settlingMs)
      const before = (await read()).length
      await act()
      await waitFor(before + atLeast)
      await setTimeout(restMs)
      return (await atRest()).slice(before)
    },
    press: (key) => void running.stdin.write(key),
    shown: () => output,
    async [Symbol.asyncDispose]() {
      running.stdin.write('q')
      const hasEnded = await Promise.race([running.then(() => true), setTimeout(10_000, false)])
      if (!hasEnded) running.kill('SIGKILL')
      await running
    },
  }
}
