import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { ownCommand, ownFile } from '../../system/mdtest-package.ts'
import { quoteWord } from '../../system/text/shell-and-regex-quotes.ts'
import type { CliContext } from '../common/cli.ts'
import { createPalette, hasColors } from '../common/styled-text.ts'

export interface Teller extends Readonly<Record<'head' | 'tell' | 'show' | 'call' | 'quote', (text: string) => void>> {
  readonly hasColors: boolean
}

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
  readonly durationMs: number
  readonly printed: string
}

interface RunContext extends Pick<CliContext, 'env' | 'signal'> {
  readonly dir: string
  readonly teller: Teller
  readonly from?: RegExp | undefined
}

export async function runMdtest(words: readonly string[], { from, ...context }: RunContext): Promise<Ran> {
  const { teller } = context
  teller.call([ownCommand, ...words.map(quoteWord)].join(' '))
  const startedMs = performance.now()
  const printed: string[] = []
  let isShown = from === undefined
  if (!isShown) teller.quote('…')
  const exitCode = await startMdtest(words, context, (line) => {
    const plain = stripVTControlCharacters(line)
    printed.push(plain)
    isShown ||= from?.test(plain) === true
    if (isShown) teller.quote(line)
  })
  teller.show('')
  return { exitCode, durationMs: performance.now() - startedMs, printed: printed.join('\n') }
}

function startMdtest(
  words: readonly string[],
  { env, signal, dir, teller }: RunContext,
  onLine: (line: string) => void,
): Promise<number> {
  // Ignore the user's CI and color variables, because the demo must look the same everywhere.
  const { CI: _ci, GITHUB_ACTIONS: _actions, FORCE_COLOR: _force, NO_COLOR: _no, ...others } = env
  // Redirect stderr to stdout, so that the lines of both stay in order.
  const argv = ['-c', 'exec "$0" "$@" 2>&1', process.execPath, ownFile('#bin'), ...words]
  const child = spawn('sh', argv, {
    cwd: dir,
    env: { ...others, ...(teller.hasColors ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches the terminal's process group. The child has its own group: only `end` sends it a signal.
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
