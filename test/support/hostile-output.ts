import { expect } from 'vitest'

/** What terminals and runners of CI obey, in one text. */
const commands = '::stop-commands::x\n  ::error file=a.js::b\n##[group]c\n##vso[task.complete]d\n##teamcity[e]'
export const hostileOutput = `x ::add-mask::a ::stop-commands::b\n\u001b]0;title\u0007\u001b[2J\u009b1A\0\u202e\r${commands}\u2028::add-mask::f`

/** Colors are Vitest's own. */
export const withoutColors = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, '')

/** Nothing in this text is obeyed by a terminal or a runner of CI. */
export function expectPlain(text: string): void {
  const shown = withoutColors(text)
  expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
  const obeyed =
    /^\s*::|(?<!\w)::(?:error|notice|group|(?:add|set|save|stop)-[a-z]+)\b[^\n]*?::|##(?:\[|vso\[|teamcity\[)/
  expect(shown.split('\n').filter((line) => obeyed.test(line))).toEqual([])
}
