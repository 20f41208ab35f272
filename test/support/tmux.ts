import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A real terminal, with a shell line running in it. */
export interface Tmux extends Disposable {
  /** Waits until the screen shows this text so many times, blanks and line ends aside. */
  shows(text: string, times?: number): Promise<void>
  /** What can be read on the screen. */
  screen(): string
  /** The same, with what has left the screen above. */
  history(): string
  /** Presses keys, by their names in tmux. */
  press(...keys: readonly string[]): void
  resize(columns: number, rows: number): void
  /** Settings of its line, as `stty -g` prints them. */
  lineSettings(): string
  /** Waits until the line has ended. */
  ended(): Promise<void>
}

/** Why it cannot be used, for the end of a title; empty where it can. */
export const tmuxSkipReason = isInstalled() || process.env.CI ? '' : ' (skipped: tmux is not installed)'

/** Runs a line of `sh` in a tmux of its own. */
export function openTmux(
  line: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Tmux {
  const socket = join(cwd, 'tmux')
  const tmux = (...args: readonly string[]): string =>
    execFileSync('/usr/bin/env', ['tmux', '-S', socket, '-f', '/dev/null', ...args], { cwd, env, encoding: 'utf8' })
  tmux('new-session', '-d', '-x', '100', '-y', '40', `${line}; touch ended; exec sleep 1000`)
  const screen = (): string => tmux('capture-pane', '-p')
  const expectWithin = async (what: string, isThere: () => boolean): Promise<void> => {
    const deadlineMs = performance.now() + 200_000
    while (!isThere()) {
      if (performance.now() > deadlineMs) throw new Error(`${what} within 200 s; the screen shows:\n${screen()}`)
      // Each look starts a process.
      await sleep(200)
    }
  }
  return {
    screen,
    history: () => tmux('capture-pane', '-p', '-S', '-'),
    shows: (text, times = 1) =>
      expectWithin(`no "${text}"`, () => withoutBlanks(screen()).split(withoutBlanks(text)).length > times),
    press: (...keys) => void tmux('send-keys', ...keys),
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    lineSettings: () =>
      execFileSync('stty', ['-F', tmux('display-message', '-p', '#{pane_tty}').trim(), '-g'], { encoding: 'utf8' }),
    ended: () => expectWithin('no end', () => existsSync(join(cwd, 'ended'))),
    [Symbol.dispose]: () => void tmux('kill-server'),
  }
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '')
}

function isInstalled(): boolean {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
