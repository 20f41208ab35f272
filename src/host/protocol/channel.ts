import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type Server, type Socket, createServer, type AddressInfo } from 'node:net'
import { isNativeError } from 'node:util/types'
import type { ChannelOptions } from 'birpc'
import type { HostAddress } from './protocol.ts'
import { readLines } from '../../system/process/read-output.ts'

export function channelOf(socket: Socket): Required<Pick<ChannelOptions, 'post' | 'on' | 'serialize' | 'deserialize'>> {
  socket.setNoDelay(true)
  return {
    post: (line: string) => void socket.write(`${line}\n`),
    on: (receive) => readLines(socket, (line) => void receive(line)),
    serialize: (message) => JSON.stringify(message, plainErrors),
    deserialize: (line: string) => JSON.parse(line),
  }
}

/** Replaces errors, which `JSON.stringify` would turn into `{}`. */
function plainErrors(_key: string, value: unknown): unknown {
  return isNativeError(value) ? { name: value.name, message: value.message, stack: value.stack } : value
}

/** Accepts only clients with the token. Only open connections keep the process alive. */
export async function listenOnLoopback(
  serve: (socket: Socket) => void,
): Promise<Pick<HostAddress, 'port' | 'token'> & { close(): void }> {
  const token = randomBytes(24).toString('hex')
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    // A killed worker resets its connection. The `close` event that follows removes the connection.
    socket.on('error', () => socket.destroy())
    admit(socket, token, () => serve(socket))
  })
  return {
    port: await startOnLoopback(server),
    token,
    close() {
      for (const socket of connections) socket.destroy()
      server.close()
    },
  }
}

/** Starts a server on a free port, which it returns. The server keeps no process alive. */
export async function startOnLoopback(server: Server): Promise<number> {
  server.unref()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // only the address of a pipe is a string
}

/** Destroys the connection unless its first line is the token. */
function admit(socket: Socket, token: string, onAdmitted: () => void): void {
  let received = Buffer.alloc(0)
  const timer = setTimeout(() => socket.destroy(), admissionTimeoutMs)
  timer.unref()
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk])
    const end = received.indexOf('\n')
    if (end < 0 && received.length <= token.length) return
    clearTimeout(timer)
    socket.off('data', onData)
    if (end < 0 || received.subarray(0, end).toString('latin1') !== token) return void socket.destroy()
    socket.pause()
    socket.unshift(received.subarray(end + 1))
    onAdmitted()
    socket.resume()
  }
  socket.on('data', onData)
}

const admissionTimeoutMs = 10_000
