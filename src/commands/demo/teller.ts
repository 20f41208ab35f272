import type { CliContext } from '../common/cli-context.ts'
import { createPalette, hasColors } from '../common/styled-text.ts'

/** Who tells the story: plain words, and beside a bar what commands print. */
export interface Teller {
  readonly hasColors: boolean
  /** The title of a part. */
  head(title: string): void
  /** A paragraph, with an empty line behind it. */
  tell(text: string): void
  /** Something to look at, set in. */
  show(text: string): void
  /** A command that is run now. */
  call(command: string): void
  /** One line that it prints. */
  quote(line: string): void
  /** An empty line. */
  pause(): void
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
    pause: () => print(''),
  }
}
