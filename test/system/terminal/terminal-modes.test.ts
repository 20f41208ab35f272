import { describe, expect, test } from 'vitest'
import { trackTerminalModes } from '../../../src/system/terminal/terminal.ts'

/** What undoes these pieces of output, without the escape character. */
function undoOf(...pieces: readonly string[]): string {
  const modes = trackTerminalModes()
  for (const piece of pieces) modes.take(Buffer.from(piece, 'latin1'))
  return modes.undo().replaceAll('\u001b', '')
}

describe('what a program has changed of the terminal', () => {
  test.each([
    ['nothing', 'hello', '[0m'],
    ['the alternate screen, last of all', '\u001b[?1049h\u001b[?2004h', '[?2004l[?1049l[0m'],
    ['several modes at once', '\u001b[?1000;1006h', '[?1000l[?1006l[0m'],
    ['the cursor, which is shown at rest', '\u001b[?25l', '[?25h[0m'],
    ['wrapping, which is on at rest', '\u001b[?7l', '[?7h[0m'],
    ['what it has undone itself', '\u001b[?1049h\u001b[?25l\u001b[?25h\u001b[?1049l', '[0m'],
    ['keyboards that it has pushed', '\u001b[>1u\u001b[>5u\u001b[<u', '[<1u[0m'],
    ['keyboards that it has popped too often', '\u001b[<5u\u001b[>1u', '[<1u[0m'],
    ['keyboards of both screens', '\u001b[>1u\u001b[?1049h\u001b[>1u\u001b[>3u', '[<2u[?1049l[<1u[0m'],
    [
      'keyboards of the screen that it is back at',
      '\u001b[>1u\u001b[?1049h\u001b[>1u\u001b[<u\u001b[?1049l',
      '[<1u[0m',
    ],
    ['the shape of the cursor, margins, keypad', '\u001b[5 q\u001b[3;9r\u001b=', '[0 q7[r8>[0m'],
    ['a character set', '\u001b(0', '(B[0m'],
    ['other keys', '\u001b[>4;2m', '[>4m[0m'],
  ])('%s', (_title, output, undo) => {
    expect(undoOf(output)).toBe(undo)
    expect(undoOf(...output), 'byte by byte').toBe(undo)
  })
})
