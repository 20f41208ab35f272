import { expect, it } from 'vitest'
import { shellSpans } from '../../../src/system/text/shell-spans.ts'

it.each<[string, readonly string[]]>([
  [`a # it's`, ['bare a ', `comment # it's`]],
  [`a#b \${#x} $#`, [`bare a#b \${#x} $#`]],
  [`a '#' "#"`, ['bare a ', `single '#'`, 'bare  ', 'double "#"']],
  [String.raw`a 'it'\''s' \' \"`, ['bare a ', String.raw`single 'it'\''s'`, String.raw`bare  \' \"`]],
  [String.raw`a $'it\'s' b`, ['bare a ', String.raw`ansi $'it\'s'`, 'bare  b']],
  [
    `"$(b 'c' "d")" e`,
    ['double "$(', 'bare b ', `single 'c'`, 'bare  ', 'double "d"', 'bare )', 'double "', 'bare  e'],
  ],
  ["`b 'c'` d", ['bare `b ', `single 'c'`, 'bare ` d']],
  [`cat <<'E' > x\nit's $y\nE\nls`, [`bare cat <<'E' > x\n`, `document it's $y\nE\n`, 'bare ls']],
  [
    'cat <<-A <<"B C"\n"a\n\tA\nb\nB C\nls',
    ['bare cat <<-A <<"B C"\n', 'template "a\n\tA\n', 'document b\nB C\n', 'bare ls'],
  ],
  ['echo $((1<<2)); ((a<<b))\nc', ['bare echo $((1<<2)); ((a<<b))\nc']],
  [`cat <<<'a'\nb`, ['bare cat <<<', `single 'a'`, 'bare \nb']],
  ['a \\', ['bare a \\']],
  ['a\\\n b', ['bare a\\\n b']],
  [`a "b`, ['bare a ', 'double "b']],
  [`a 'b`, ['bare a ', `single 'b`]],
  ['cat <<E', ['bare cat <<E']],
  ['', []],
])('cuts %j', (command, spans) => {
  const cut = shellSpans(command)
  expect(cut.map(({ kind, text }) => `${kind} ${text}`)).toEqual(spans)
  expect(cut.map(({ text }) => text).join('')).toBe(command)
})
