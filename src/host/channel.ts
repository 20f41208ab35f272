import type { Socket } from 'node:net'
import { isNativeError } from 'node:util/types'
import type { ChannelOptions } from 'birpc'

/** One JSON message a line over a socket, for `birpc`. */
export function channelOf(socket: Socket): Required<Pick<ChannelOptions, 'post' | 'on' | 'serialize' | 'deserialize'>> {
  socket.setEncoding('utf8').setNoDelay(true)
  return {
    post: (line: string) => void socket.write(`${line}\n`),
    on: (receive) => onLines(socket, receive),
    serialize: (message) => JSON.stringify(message, plainErrors),
    deserialize: (line: string) => JSON.parse(line),
  }
}

function onLines(socket: Socket, receive: (line: string) => void): void {
  let rest = ''
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) receive(line)
  })
}

/** `JSON.stringify` turns an error into `{}`. */
function plainErrors(_key: string, value: unknown): unknown {
  return isNativeError(value) ? { name: value.name, message: value.message, stack: value.stack } : value
}
