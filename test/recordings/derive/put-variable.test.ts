import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { putVariable } from '../../../src/recordings/derive/put-variable.ts'

const odd = `/srv/a b/$HOME 'q' "x"`

it.each([
  ['bare', String.raw`printf '%s\n' /srv/a\ b/\$HOME\ \'q\'\ \"x\"/c.txt`],
  ['in single quotes', String.raw`printf '%s\n' '/srv/a b/$HOME '\''q'\'' "x"/c.txt'`],
  ['in double quotes', String.raw`printf '%s\n' "/srv/a b/\$HOME 'q' \"x\"/c.txt"`],
  ['in a document', `cat <<'EOF'\n${odd}/c.txt \\ it's \`x\` $HOME\nEOF\necho "${'$'}{#HOME}"`],
  ['in two documents', `cat <<'A' - <<-\\B\n${odd}/a\nA\n\t${odd}/b $x\n\tB`],
  ['in a template', 'cat <<EOF\n' + odd.replace('$', String.raw`\$`) + "/c.txt it's\nEOF"],
  ['behind a comment', String.raw`true # it's "so` + '\n' + String.raw`echo '/srv/a b/$HOME '\''q'\'' "x"/c.txt'`],
  ['in a substitution', String.raw`echo "$(printf %s '/srv/a b/$HOME '\''q'\'' "x"/c.txt')"`],
  ['in escaping quotes', String.raw`printf '%s\n' $'at\t/srv/a b/$HOME \'q\' "x"/c.txt\n'`],
  ['alone in quotes', String.raw`printf '%s\n' $'/srv/a b/$HOME \'q\' "x"' '/srv/a b/$HOME '\''q'\'' "x"'`],
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

it('leaves a document as it is whose end cannot be written without quotes', () => {
  const command = `cat <<'E F'\n/srv/x $y\nE F`
  expect(putVariable(command, '/srv', 'TESTROOT')).toBe(command)
})
