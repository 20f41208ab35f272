import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { TreeRoot } from '../trees/find-tree.ts'
import { killTrees } from '../trees/kill-trees.ts'
import { setLimit } from '../trees/inherited-limit.ts'
import type { LaunchLine, LaunchReply, PipeName, Program, ProgramEnd } from './launch-protocol.ts'
import { readStartTime } from '../trees/process-table.ts'
import { readLines } from '../read-lines.ts'
import { errorCode } from '../../error-facts.ts'

interface LaunchContext {
  readonly token: string
  /** The programs that were started, until somebody says that their trees are gone. */
  readonly roots: Map<number, TreeRoot>
}

/** Connections that are to become descriptors, by name: these and the request for them come in any order. */
const pipes = new Map<string, Socket>()
const awaited = new Map<string, (pipe: Socket) => void>()

/** Serves one connection, in the launcher. */
export function serveLaunches(socket: Socket, context: LaunchContext): void {
  socket.on('error', () => socket.destroy())
  readLines(socket, (line) => {
    const message = parse(line)
    if (message?.token !== context.token) socket.destroy()
    else if ('pipe' in message) offer(message.pipe, socket)
    else void serveRequest(socket, message, context)
    return false
  })
}

function parse(line: string): LaunchLine | undefined {
  try {
    return JSON.parse(line) as LaunchLine // of this package, if the token is right
  } catch {
    return undefined // Somebody else's.
  }
}

function offer(name: string, pipe: Socket): void {
  pipe.pause()
  const take = awaited.get(name)
  if (take) return take(pipe)
  pipes.set(name, pipe)
  pipe.once('close', () => pipes.delete(name))
}

function claim(name: string): Promise<Socket> {
  const pipe = pipes.get(name)
  pipes.delete(name)
  if (pipe) return Promise.resolve(pipe)
  return new Promise((resolve) => awaited.set(name, resolve)).finally(() => awaited.delete(name)) as Promise<Socket>
}

async function serveRequest(
  socket: Socket,
  { program, pipes: names }: { readonly program: Program; readonly pipes: readonly PipeName[] },
  { roots }: LaunchContext,
): Promise<void> {
  const claimed = await Promise.all(
    names.map(async ({ descriptor, name }) => ({ descriptor, pipe: await claim(name) })),
  )
  const { child, error } = start(program, claimed)
  // From here on they are the program's alone.
  for (const { pipe } of claimed) pipe.destroy()
  const { pid } = child ?? {}
  if (child === undefined || pid === undefined) {
    return reply(socket, { error: describeError(error ?? (child && (await errorOf(child)))) }, 'last')
  }
  child.unref()
  const { limit } = program
  if (limit !== undefined) setLimit(pid, limit)
  const root = { pid, startTime: readStartTime(pid), limit }
  roots.set(pid, root)
  reply(socket, { pid, startTime: root.startTime })
  const onClose = (): void => void setTimeout(() => endOrphan(root, roots), orphanMs).unref()
  socket.once('close', onClose)
  child.once('exit', (exitCode, signal) => {
    socket.off('close', onClose)
    reply(socket, { exitCode, signal }, 'last')
  })
}

/** Time for the main process to end what a dead worker has left, or to be found dead itself, in milliseconds. */
const orphanMs = 250

/** Whoever asked for it is gone, perhaps before anybody else heard of it. */
function endOrphan(root: TreeRoot, roots: ReadonlyMap<number, TreeRoot>): void {
  if (roots.get(root.pid) === root) void killTrees({ roots: [root], mark: '' }, { graceMs: 0 })
}

function start(
  { argv: [file, ...args], argv0, cwd, env }: Program,
  claimed: readonly { readonly descriptor: number; readonly pipe: Socket }[],
): { readonly child?: ChildProcess; readonly error?: unknown } {
  const stdio = [0, 1, 2].map((descriptor) => claimed.find((each) => each.descriptor === descriptor)?.pipe ?? 'ignore')
  try {
    return { child: spawn(file, args, { ...(argv0 !== undefined && { argv0 }), cwd, env, detached: true, stdio }) }
  } catch (error: unknown) {
    return { error }
  }
}

function errorOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('error', resolve))
}

function describeError(error: unknown): { readonly message: string; readonly code?: string } {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = errorCode(error)
  return { message: error.message, ...(code !== undefined && { code }) }
}

function reply(socket: Socket, value: LaunchReply | ProgramEnd, place?: 'last'): void {
  const line = `${JSON.stringify(value)}\n`
  if (place === 'last') socket.end(line)
  else socket.write(line)
}
