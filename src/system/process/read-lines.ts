import type { Socket } from 'node:net'

/** Calls `onLine` for each line of UTF-8 that comes in; the one for which it gives `false` is the last. */
export function readLines(socket: Socket, onLine: (line: string) => unknown): void {
  let rest = ''
  const onData = (text: string): void => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (onLine(line) !== false) continue
      socket.off('data', onData)
      return
    }
  }
  // A character may come in two pieces.
  socket.setEncoding('utf8').on('data', onData)
}
