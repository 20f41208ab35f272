import type { Socket } from 'node:net'
import { isNativeError } from 'node:util/types'
import type { ChannelOptions } from 'birpc'
import { readLines } from '../../system/process/read-lines.ts'

/** One JSON message a line over a socket, for `birpc`. */
export function channelOf(socket: Socket): Required<Pick<ChannelOptions, 'post' | 'on' | 'serialize' | 'deserialize'>> {
  socket.setNoDelay(true)
  return {
    post: (line: string) => void socket.write(`${line}\n`),
    on: (receive) => readLines(socket, (line) => void receive(line)),
    serialize: (message) => JSON.stringify(message, plainErrors),
    deserialize: (line: string) => JSON.parse(line),
  }
}

/** `JSON.stringify` turns an error into `{}`. */
function plainErrors(_key: string, value: unknown): unknown {
  return isNativeError(value) ? { name: value.name, message: value.message, stack: value.stack } : value
}
