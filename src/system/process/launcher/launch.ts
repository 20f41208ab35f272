import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { MdtestError } from '../../mdtest-error.ts'
import type { LauncherAddress } from './launcher.ts'
import type { LaunchLine, LaunchReply, Program, ProgramEnd } from './launch-protocol.ts'
import { readLines } from '../read-lines.ts'

/** A program that runs. */
export interface Launched<Descriptors extends readonly number[] = readonly number[]> {
  readonly pid: number
  /** As `readStartTime` gives it. */
  readonly startTime: string | undefined
  /** What is connected to the descriptors that were asked for, in their order. */
  readonly pipes: { readonly [Index in keyof Descriptors]: Socket }
  /** Rejected with an MdtestError `EXEC_LAUNCHER_ENDED` where nobody can tell. */
  readonly ended: Promise<ProgramEnd>
  /** Lets this process end while the program runs; the pipes count for themselves. */
  unref(): void
  /** Nobody waits for its end any more: the launcher ends it, if it can. */
  release(): void
}

/**
 * Has the launcher start a program as leader of its own group and session. Standard input, output and error are empty
 * but for `descriptors`, each of which is connected to a socket of ours.
 *
 * @param descriptors of 0, 1 and 2
 * @throws Error with the `code` that the system gave, when it cannot be started; MdtestError `EXEC_LAUNCHER_ENDED`
 */
export async function launch<const Descriptors extends readonly number[]>(
  { path, token }: LauncherAddress,
  program: Program,
  descriptors: Descriptors,
): Promise<Launched<Descriptors>> {
  const id = randomUUID()
  const names = descriptors.map((descriptor) => ({ descriptor, name: `${id}-${descriptor}` }))
  const pipes = names.map(({ name }) => open(path, { token, pipe: name })) as Launched<Descriptors>['pipes'] // `map` forgets the length
  const request = open(path, { token, program, pipes: names })
  const { reply, ended } = readAnswers(request, program)
  try {
    const started = await reply
    return { ...started, pipes, ended, unref: () => request.unref(), release: () => request.destroy() }
  } catch (error: unknown) {
    for (const socket of [...pipes, request]) socket.destroy()
    throw error
  }
}

function open(path: string, line: LaunchLine): Socket {
  const socket = connect(path)
  // `close` comes, too.
  socket.on('error', () => undefined)
  socket.write(`${JSON.stringify(line)}\n`)
  return socket
}

const replyTimeoutMs = 30_000

interface Answers {
  readonly reply: Promise<Pick<Launched, 'pid' | 'startTime'>>
  readonly ended: Promise<ProgramEnd>
}

function readAnswers(request: Socket, { argv }: Program): Answers {
  const lines = new Array<(line: string) => void>()
  const next = (): Promise<unknown> => new Promise((resolve) => lines.push((line) => resolve(JSON.parse(line))))
  const lost = new Promise<never>((_resolve, reject) => {
    request.once('close', () => reject(lostError(argv[0])))
  })
  // One that was stopped would never answer.
  const timer = setTimeout(() => request.destroy(), replyTimeoutMs)
  const reply = Promise.race([next() as Promise<LaunchReply>, lost])
    .finally(() => clearTimeout(timer))
    .then((answer) => {
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
      return { pid: answer.pid, startTime: answer.startTime }
    })
  const ended = Promise.race([next() as Promise<ProgramEnd>, lost])
  // Whoever asks for them still gets the error.
  for (const promise of [lost, reply, ended]) promise.catch(() => undefined)
  readLines(request, (line) => {
    lines.shift()?.(line)
    return lines.length > 0
  })
  return { reply, ended }
}

function lostError(program: string): MdtestError {
  return new MdtestError(
    'EXEC_LAUNCHER_ENDED',
    `Nothing is known of \`${program}\`: the process of mdtest that starts programs was ended.`,
    {
      hint: 'Something killed it, perhaps the program itself: run the test again, and look for what ends processes that are not its own.',
    },
  )
}
