import { withResolvers, type PromiseWithResolvers } from '../system/with-resolvers.ts'
import { randomUUID } from 'node:crypto'
import type { McpServer } from '../spec/front-matter/mcp-servers.ts'
import type { LiveTree } from '../system/process/launcher/live-trees.ts'
import { launch } from '../system/process/launcher/launch.ts'
import type { LauncherAddress } from '../system/process/launcher/launcher.ts'
import { readLines } from '../system/process/read-lines.ts'
import { killTree } from '../system/process/trees/kill-trees.ts'
import { withMarks } from '../system/process/trees/marks.ts'
import type { McpConnection, RpcMessage } from './mcp-session.ts'

/** Where the programs of servers are started. */
export interface ProgramPlace {
  /** Absolute path. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly launcher: LauncherAddress
  readonly runMark: string
  /** `startTime`: as `readStartTime` gives it. */
  onStart(tree: LiveTree & { readonly startTime: string | undefined }): void
  onEnd(pid: number): void
}

/** For a server to end by itself, in milliseconds. */
const endingMs = 500

/**
 * Starts a program that speaks MCP on its standard streams.
 * @throws Error where it cannot be started
 */
export async function programConnection(
  { command, args = [], env = {} }: Extract<McpServer, { command: string }>,
  place: ProgramPlace,
): Promise<McpConnection> {
  const mark = randomUUID()
  const program = {
    argv: [command, ...args] as const, // never empty
    cwd: place.cwd,
    env: withMarks({ ...place.env, ...env }, [place.runMark, mark]),
  }
  const { pid, startTime, pipes, ended, unref } = await launch(place.launcher, program, [0, 1])
  unref()
  place.onStart({ pid, startTime, mark })
  const [input, output] = pipes
  const waiting = new Map<number | string, PromiseWithResolvers<RpcMessage>>()
  let isOver = false
  const lose = (): void => {
    isOver = true
    for (const { reject } of waiting.values()) reject(new Error('it has ended'))
    waiting.clear()
  }
  output.on('close', lose)
  readLines(output, (line) => {
    const message = parse(line)
    if (message?.id === undefined) return
    if (message.method !== undefined) return answerRequest(message)
    waiting.get(message.id)?.resolve(message)
    waiting.delete(message.id)
  })
  const write = (message: object): void => void input.write(`${JSON.stringify(message)}\n`)
  /** It may ask whether anybody is there; we have nothing else for it. */
  const answerRequest = ({ id, method }: RpcMessage): void =>
    write({ jsonrpc: '2.0', id, ...(method === 'ping' ? { result: {} } : { error: { code: -32_601, message: 'no' } }) })
  return {
    async request(message, signal) {
      if (isOver) throw new Error('it has ended')
      const answer = withResolvers<RpcMessage>()
      waiting.set(message.id, answer)
      signal.addEventListener('abort', () => waiting.delete(message.id), { once: true })
      write(message)
      return answer.promise
    },
    async notify(message) {
      write(message)
    },
    async close() {
      input.end()
      const timer = withResolvers<undefined>()
      const timeout = setTimeout(() => timer.resolve(undefined), endingMs)
      await Promise.race([ended.catch(() => undefined), timer.promise])
      clearTimeout(timeout)
      await killTree({ pid, mark, graceMs: 0 })
      place.onEnd(pid)
      for (const pipe of pipes) pipe.destroy()
    },
  }
}

function parse(line: string): RpcMessage | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined // What some servers print besides.
  }
}
