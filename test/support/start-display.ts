import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'

/** A screen that nobody sees. */
export interface Display extends AsyncDisposable {
  /** For `DISPLAY`. */
  readonly name: string
  /** Titles of all windows on it. */
  windows(): readonly string[]
}

const isThere = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** Why there can be none, where there can be none. */
export const displayUnavailable = ['Xvfb', 'xwininfo'].find((program) => !isThere(program))

/** Starts it; `await using` ends it. */
export async function startDisplay(): Promise<Display> {
  const args = ['-displayfd', '3', '-screen', '0', '1400x900x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const ended = once(server, 'exit')
  const number = await Promise.race([once(server.stdio[3] as Readable, 'data'), ended]) // by `stdio`
  if (server.exitCode !== null) throw new Error(`Xvfb ended with ${server.exitCode}`)
  const name = `:${String(number[0]).trim()}`
  return {
    name,
    windows() {
      const tree = execFileSync('xwininfo', ['-root', '-tree', '-display', name], {
        encoding: 'utf8',
        // Else it prints no title with other characters.
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      })
      return [...tree.matchAll(/^ +0x[\da-f]+ "(.*)": \(/gm)].map(([, title = '']) => title)
    },
    async [Symbol.asyncDispose]() {
      server.kill()
      await ended
    },
  }
}
