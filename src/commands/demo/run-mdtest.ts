import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { ownCommand, ownFile } from '../../system/own-package.ts'
import { quoteWord } from '../../system/text/quoting.ts'
import type { CliContext } from '../common/cli-context.ts'
import { createPalette, hasColors } from '../common/styled-text.ts'

/** Who tells the story: plain words, and beside a bar what commands print. */
export interface Teller extends Readonly<Record<'head' | 'tell' | 'show' | 'call' | 'quote', (text: string) => void>> {
  readonly hasColors: boolean
}

/** Once the signal is aborted, nothing more is told. */
export function createTeller({ stdout, env, signal }: Pick<CliContext, 'stdout' | 'env' | 'signal'>): Teller {
  const isColored = hasColors(stdout, env)
  const { bold, dim } = createPalette(isColored)
  const print = (text: string): void => {
    if (!signal.aborted) stdout.write(`${text}\n`)
  }
  return {
    hasColors: isColored,
    head: (title) => print(`${bold(`── ${title} ${'─'.repeat(Math.max(3, 72 - title.length))}`)}\n`),
    tell: (text) => print(`${text}\n`),
    show: (text) => print(text.replaceAll(/^(?=.)/gm, '    ')),
    call: (command) => print(`${dim('$')} ${bold(command)}`),
    quote: (line) => print(`${dim('│')} ${line}`.trimEnd()),
  }
}

export interface Ran {
  readonly exitCode: number
  /** By scene: `pass`, `fail`, `blocked`, or `unknown`. */
  readonly outcomes: Readonly<Record<string, string>>
  readonly stepsMs: number
  readonly printed: string
}

interface RunContext extends Pick<CliContext, 'env' | 'signal'> {
  readonly dir: string
  readonly teller: Teller
  /** The first line to show. Default: all are shown. */
  readonly from?: RegExp | undefined
}

/** Runs a command of mdtest in a process of its own, as a user would, and shows it; with `from` the lines from there on. */
export async function runMdtest(words: readonly string[], { from, ...context }: RunContext): Promise<Ran> {
  const { dir, teller } = context
  // Beside what people read.
  const resultsFile = join(dir, 'results.json')
  await rm(resultsFile, { force: true })
  const hasResults = words[0] !== 'show'
  const reporters = hasResults ? ['--reporter=default', '--reporter=json', `--output-file=${resultsFile}`] : []
  teller.call([ownCommand, ...words.map(quoteWord)].join(' '))
  const printed: string[] = []
  let isShown = from === undefined
  if (!isShown) teller.quote('…')
  const exitCode = await start([...words, ...reporters], context, (line) => {
    const plain = stripVTControlCharacters(line)
    printed.push(plain)
    isShown ||= from?.test(plain) === true
    if (isShown && !plain.startsWith('JSON report written to ')) teller.quote(line)
  })
  teller.show('')
  const results = await readFile(resultsFile, 'utf8').then(readResults, () => ({ outcomes: {}, stepsMs: 0 }))
  return { exitCode, ...results, printed: printed.join('\n') }
}

function start(
  words: readonly string[],
  { env, signal, dir, teller }: RunContext,
  onLine: (line: string) => void,
): Promise<number> {
  // The demo is the same everywhere: neither CI nor a choice of colors that was made for another output counts.
  const { CI: _ci, GITHUB_ACTIONS: _actions, FORCE_COLOR: _force, NO_COLOR: _no, ...others } = env
  // With both streams in one, lines keep their order.
  const argv = ['-c', 'exec "$0" "$@" 2>&1', process.execPath, ownFile('#bin'), ...words]
  const child = spawn('sh', argv, {
    cwd: dir,
    env: { ...others, ...(teller.hasColors ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A terminal tells Ctrl-C to all of a group: it would end at once when we tell it, too.
    detached: true,
  })
  const end = (): void => void child.kill(signal.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT')
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  createInterface({ input: child.stdout }).on('line', onLine)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killer) => {
      signal.removeEventListener('abort', end)
      resolve(code ?? 128 + (killer === null ? 0 : constants.signals[killer]))
    })
  })
}

const resultsSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({
          duration: z.number().nullish(),
          meta: z.object({ mdtest: z.object({ outcome: z.string() }).optional() }).optional(),
        }),
      ),
    }),
  ),
})

function readResults(json: string): Pick<Ran, 'outcomes' | 'stepsMs'> {
  const { testResults } = resultsSchema.parse(JSON.parse(json))
  const outcomes = testResults.map(({ name, assertionResults }) => {
    const all = assertionResults.map(({ meta }) => meta?.mdtest?.outcome ?? 'unknown')
    const worst = ['unknown', 'blocked', 'fail'].find((outcome) => all.includes(outcome))
    return [basename(dirname(name)), worst ?? 'pass']
  })
  const steps = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    outcomes: Object.fromEntries(outcomes),
    stepsMs: steps.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
  }
}
