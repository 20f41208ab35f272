import type { Socket } from 'node:net'

/** Calls `onLine` for each line of UTF-8 that comes in; the one for which it gives `false` is the last. */
export function readLines(socket: Socket, onLine: (line: string) => unknown): void {
  // In pieces: put together for each, a line of 60 MB would take minutes.
  let begun: string[] = []
  const onData = (text: string): void => {
    const [first = '', ...more] = text.split('\n')
    begun.push(first)
    if (more.length === 0) return
    const lines = [begun.join(''), ...more]
    begun = [lines.pop() ?? '']
    for (const line of lines) {
      if (onLine(line) !== false) continue
      socket.off('data', onData)
      return
    }
  }
  // A character may come in two pieces.
  socket.setEncoding('utf8').on('data', onData)
}
