import { type InheritedLimit, setLimit } from '../trees/marks.ts'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { MdtestError } from '../../mdtest-error.ts'
import type { LauncherAddress } from './launcher.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { readStartTime } from '../trees/process-table.ts'
import { errorCode, messageOf, orNothing } from '../../error-facts.ts'
import { type TreeRoot, killTrees } from '../trees/kill-trees.ts'
import { readLines } from '../read-output.ts'
import { withResolvers, type PromiseWithResolvers } from '../../slots-and-timers.ts'

/**
 * The first line (JSON) of each connection to the launcher. `pipe`: the connection becomes a descriptor of a program.
 * `program`: the launcher starts this program, and answers with a `LaunchReply` and later a `ProgramEnd`.
 */
export type LaunchLine = { readonly token: string } & (
  | { readonly pipe: string }
  | { readonly program: Program; readonly pipes: readonly PipeName[] }
)

/** A program to start. Its arguments go to the system as they are, without a shell. */
export interface Program {
  readonly argv: readonly [string, ...string[]]
  /** @default `argv[0]` */
  readonly argv0?: string
  readonly cwd: string
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly limit?: InheritedLimit | undefined
}

interface PipeName {
  readonly descriptor: number
  readonly name: string
}

export type LaunchReply =
  | { readonly pid: number; readonly startTime?: string | undefined }
  | { readonly error: { readonly message: string; readonly code?: string | undefined } }

export interface ProgramEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Launched<Descriptors extends readonly number[] = readonly number[]> {
  readonly pid: number
  readonly startTime: string | undefined
  readonly pipes: { readonly [Index in keyof Descriptors]: Socket }
  readonly ended: Promise<ProgramEnd>
  unref(): void
  release(): void
}

/**
 * Asks the launcher to start a program as leader of its own process group and session.
 *
 * @param descriptors those of 0, 1 and 2 that get a pipe to this process; the others lead to `/dev/null`
 * @throws Error with a system `code` such as `ENOENT`; MdtestError `EXEC_LAUNCHER_ENDED`
 */
export async function launch<const Descriptors extends readonly number[]>(
  { path, token }: LauncherAddress,
  program: Program,
  descriptors: Descriptors,
): Promise<Launched<Descriptors>> {
  const id = randomUUID()
  const names = descriptors.map((descriptor) => ({ descriptor, name: `${id}-${descriptor}` }))
  // The type is necessary, because `map` loses the length of the tuple.
  const pipes = names.map(({ name }) => openSocket(path, { token, pipe: name })) as Launched<Descriptors>['pipes']
  const request = openSocket(path, { token, program, pipes: names })
  const { reply, ended } = readAnswers(request, program)
  try {
    const started = await reply
    return { ...started, pipes, ended, unref: () => request.unref(), release: () => request.destroy() }
  } catch (error: unknown) {
    for (const socket of [...pipes, request]) socket.destroy()
    throw error
  }
}

function openSocket(path: string, line: LaunchLine): Socket {
  const socket = connect(path)
  socket.on('error', () => undefined)
  socket.write(`${JSON.stringify(line)}\n`)
  return socket
}

const replyTimeoutMs = 30_000

function readAnswers(request: Socket, { argv }: Program) {
  const lines = new Array<(line: string) => void>()
  const next = (): Promise<unknown> => new Promise((resolve) => lines.push((line) => resolve(JSON.parse(line))))
  const lost = new Promise<never>((_resolve, reject) => {
    request.once('close', () => reject(lostError(argv[0])))
  })
  // Limit the wait, because a launcher that was stopped (SIGSTOP) never answers.
  const timer = setTimeout(() => request.destroy(), replyTimeoutMs)
  const reply = Promise.race([next() as Promise<LaunchReply>, lost])
    .finally(() => clearTimeout(timer))
    .then((answer) => {
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
      return { pid: answer.pid, startTime: answer.startTime }
    })
  const ended = Promise.race([next() as Promise<ProgramEnd>, lost])
  // A rejection before anybody awaits the promise must not end this process. Callers that await it get the error.
  for (const promise of [lost, reply, ended]) promise.catch(() => undefined)
  readLines(request, (line) => {
    lines.shift()?.(line)
    return lines.length > 0
  })
  return { reply, ended }
}

function lostError(program: string): MdtestError {
  const message = `The result of \`${program}\` is unknown, because the mdtest process that starts programs was killed.`
  const hint =
    'Perhaps the program itself killed it. Run the test again, and look for commands that end processes of others.'
  return new MdtestError('EXEC_LAUNCHER_ENDED', message, { hint })
}

const pipes = new Map<string, PromiseWithResolvers<Socket>>()

/** A pipe may connect before or after the request for the program that it belongs to. */
function pipeNamed(name: string): PromiseWithResolvers<Socket> {
  const pipe = pipes.get(name) ?? withResolvers<Socket>()
  pipes.set(name, pipe)
  return pipe
}

export function serveLaunches(socket: Socket, token: string, roots: Map<number, TreeRoot>): void {
  socket.on('error', () => socket.destroy())
  readLines(socket, (line) => {
    // Any program can connect and send anything, even invalid JSON. The token below shows that the type is right.
    const message = orNothing(() => JSON.parse(line) as LaunchLine | null)
    if (message?.token !== token) socket.destroy()
    else if ('pipe' in message) offer(message.pipe, socket)
    else void serveRequest(socket, message, roots)
    return false
  })
}

function offer(name: string, pipe: Socket): void {
  pipe.pause()
  pipeNamed(name).resolve(pipe)
  pipe.once('close', () => pipes.delete(name))
}

async function serveRequest(
  socket: Socket,
  { program, pipes: names }: { readonly program: Program; readonly pipes: readonly PipeName[] },
  roots: Map<number, TreeRoot>,
): Promise<void> {
  const claimed = await Promise.all(
    names.map(async ({ descriptor, name }) => ({ descriptor, pipe: await pipeNamed(name).promise })),
  )
  const { argv, argv0, cwd, env, limit } = program
  const [file, ...args] = argv
  const stdio = [0, 1, 2].map((descriptor) => claimed.find((each) => each.descriptor === descriptor)?.pipe ?? 'ignore')
  let child: ChildProcess
  try {
    child = spawn(file, args, { ...(argv0 !== undefined && { argv0 }), cwd, env, detached: true, stdio })
  } catch (error: unknown) {
    return reply(socket, { error: sentError(error) }, 'last')
  } finally {
    // The program has its own copies of the pipes. While ours are open, readers do not see the end of the output.
    for (const { pipe } of claimed) pipe.destroy()
  }
  const { pid } = child
  if (pid === undefined) {
    const [error]: unknown[] = await once(child, 'error')
    return reply(socket, { error: sentError(error) }, 'last')
  }
  child.unref()
  if (limit !== undefined) setLimit(pid, limit)
  const root = { pid, startTime: readStartTime(pid), limit }
  roots.set(pid, root)
  reply(socket, { pid, startTime: root.startTime })
  const endOrphan = (): void => {
    if (roots.get(pid) === root) void killTrees({ roots: [root], mark: '', graceMs: 0 })
  }
  const onClose = (): void => void setTimeout(endOrphan, orphanMs).unref()
  socket.once('close', onClose)
  child.once('exit', (exitCode, signal) => {
    socket.off('close', onClose)
    reply(socket, { exitCode, signal }, 'last')
  })
}

/** Time for the main process to end a program after its connection closed. Then the launcher kills the program. */
const orphanMs = 250

function sentError(error: unknown): Extract<LaunchReply, { readonly error: unknown }>['error'] {
  return { message: messageOf(error), code: errorCode(error) }
}

function reply(socket: Socket, value: LaunchReply | ProgramEnd, place?: 'last'): void {
  socket[place === 'last' ? 'end' : 'write'](`${JSON.stringify(value)}\n`)
}
