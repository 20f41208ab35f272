import { expect, test } from 'vitest'
import { screenText } from '../../../src/system/terminal/run-in-terminal.ts'

test.each([
  ['words behind jumps', '\u001b[2GQuick\u001b[8Gsafety\u001b[15Gcheck', ' Quick safety check'],
  ['lines by their place', '\u001b[1;1HOne\u001b[2;1HTwo', '\nOne\nTwo'],
  ['no colors and no title', '\u001b]0;title\u0007\u001b[1mNo\u001b[0m, exit', 'No, exit'],
])('reads %s', (_title, output, text) => {
  expect(screenText(output)).toBe(text)
})
