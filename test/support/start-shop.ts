import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** An application of `fixtures`, a process of its own. */
interface Application extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

/** Starts the shop with these bugs; `await using` ends it. */
export function startShop(...bugs: readonly string[]): Promise<Application> {
  return start(
    'shop',
    bugs.flatMap((bug) => ['--bug', bug]),
  )
}

/** Starts the desk with these of its changes; `await using` ends it. */
export function startDesk(...changes: readonly string[]): Promise<Application> {
  return start(
    'desk',
    changes.flatMap((change) => ['--change', change]),
  )
}

async function start(name: string, args: readonly string[]): Promise<Application> {
  const program = fileURLToPath(new URL(`../../fixtures/${name}/main.mjs`, import.meta.url))
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(child.stdout, 'data'), ended])
  if (child.exitCode !== null || child.pid === undefined) throw new Error(`the ${name} ended with ${child.exitCode}`)
  return {
    url: String(line).trim(),
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Several shops at once. */
export interface Shops extends AsyncDisposable {
  /** Address by bug; `right` is the shop without one. */
  urlOf(bug: string): string
}

/** Starts a shop for each of these bugs. */
export async function startShops(bugs: readonly string[]): Promise<Shops> {
  const shops = new Map<string, Application>()
  await Promise.all(bugs.map(async (bug) => shops.set(bug, await startShop(...(bug === 'right' ? [] : [bug])))))
  return {
    urlOf: (bug) => shops.get(bug)?.url ?? '',
    async [Symbol.asyncDispose]() {
      await Promise.all([...shops.values()].map((shop) => shop[Symbol.asyncDispose]()))
    },
  }
}
