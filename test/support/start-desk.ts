import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The application of `fixtures/desk`, a process of its own. */
export interface Desk extends AsyncDisposable {
  readonly url: string
}

const program = fileURLToPath(new URL('../../fixtures/desk/main.mjs', import.meta.url))

/** Starts it with these of its changes; `await using` ends it. */
export async function startDesk(...changes: readonly string[]): Promise<Desk> {
  const args = changes.flatMap((change) => ['--change', change])
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(child.stdout, 'data'), ended])
  if (child.exitCode !== null) throw new Error(`the desk ended with ${child.exitCode}`)
  return {
    url: String(line).trim(),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
