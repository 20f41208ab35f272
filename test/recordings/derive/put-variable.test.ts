import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { putVariable } from '../../../src/recordings/derive/put-variable.ts'

const odd = `/srv/a b/$HOME 'q' "x"`

it.each([
  ['bare', String.raw`printf '%s\n' /srv/a\ b/\$HOME\ \'q\'\ \"x\"/c.txt`],
  ['in single quotes', String.raw`printf '%s\n' '/srv/a b/$HOME '\''q'\'' "x"/c.txt'`],
  ['in double quotes', String.raw`printf '%s\n' "/srv/a b/\$HOME 'q' \"x\"/c.txt"`],
  ['amid single quotes', String.raw`printf '%s\n' 'at=/srv/a b/$HOME '\''q'\'' "x"/c.txt'`],
])('finds a value as a shell has it: %s', (_what, command) => {
  const put = putVariable(command, odd, 'TESTROOT')
  expect(put).not.toContain('/srv')
  const print = (text: string): string =>
    execFileSync('bash', ['--norc', '-c', text], {
      env: { PATH: process.env['PATH'], TESTROOT: odd },
      encoding: 'utf8',
    })
  expect(print(put)).toBe(print(command))
})

it.each([
  ['git show 324b426acc', '324b426acc', 'value1:0:10', 'git show "${value1:0:10}"'],
  ['cat out/order-a1b2.json', 'a1b2', 'value1', 'cat out/order-"$value1".json'],
  ['cat xa1b2 a1b2x', 'a1b2', 'value1', 'cat xa1b2 a1b2x'],
])('puts an expression where a value has borders: %s', (command, value, expression, expected) => {
  expect(putVariable(command, value, expression)).toBe(expected)
})
