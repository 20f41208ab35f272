import { expect, it } from 'vitest'
import { putVariable } from '../../../src/recordings/derive/put-variable.ts'
import { runEach } from '../../support/run-each.ts'

const odd = '/srv/a b/$HOME x'

const quoted: Readonly<Record<string, string>> = Object.fromEntries([
  ['bare', String.raw`printf '%s\n' /srv/a\ b/\$HOME\ x/c.txt`],
  ['in single quotes', String.raw`printf '%s\n' '/srv/a b/$HOME x/c.txt'`],
  ['in double quotes', String.raw`printf '%s\n' "/srv/a b/\$HOME x/c.txt"`],
  ['in a template', String.raw`cat <<EOF` + '\n' + String.raw`/srv/a b/\$HOME x/c.txt it's` + '\nEOF'],
  ['behind a comment', String.raw`true # it's "so` + '\n' + String.raw`echo '/srv/a b/$HOME x/c.txt'`],
  ['in a substitution', String.raw`echo "$(printf %s '/srv/a b/$HOME x/c.txt')"`],
  ['in escaping quotes', String.raw`printf '%s\n' $'at\t/srv/a b/$HOME x/c.txt\n'`],
  ['alone in quotes', String.raw`printf '%s\n' $'/srv/a b/$HOME x' '/srv/a b/$HOME x'`],
  ['amid single quotes', String.raw`printf '%s\n' 'at=/srv/a b/$HOME x/c.txt'`],
])

it('finds a value as a shell has it', () => {
  const commands = Object.values(quoted)
  const put = commands.map((command) => putVariable(command, odd, 'TESTROOT'))
  expect(put.filter((command) => command.includes('/srv'))).toEqual([])
  const printed = (all: readonly string[]): object =>
    Object.fromEntries(runEach(all, { env: { TESTROOT: odd } }).map((one, index) => [commands[index], one]))
  expect(printed(put)).toEqual(printed(commands))
})

it.each([
  ['git show 324b426acc', '324b426acc', 'value1:0:10', 'git show "${value1:0:10}"'],
  ['cat out/order-a1b2.json', 'a1b2', 'value1', 'cat out/order-"$value1".json'],
  ['cat xa1b2 a1b2x', 'a1b2', 'value1', 'cat xa1b2 a1b2x'],
])('puts an expression where a value has borders: %s', (command, value, expression, expected) => {
  expect(putVariable(command, value, expression)).toBe(expected)
})

it('leaves a document in which no variable counts as it is', () => {
  const command = `cat <<'EOF'\n/srv/x $y\nEOF`
  expect(putVariable(command, '/srv', 'TESTROOT')).toBe(command)
})

const withId = [
  'echo ID',
  'echo "ID" \'ID\' --id=ID --id="ID" x/ID.json',
  `echo '{"id":"ID","all":["ID"]}' '.[] | select(.id=="ID")'`,
  'echo "{\\"id\\":\\"ID\\"}"',
  `x=ID; echo "$x"`,
  `x='ID' bash -c 'echo "$x" ID'`,
  'echo http://localhost:1/orders/ID?x=ID#ID',
  `[[ "ID x" == ID* ]] && echo ID`,
  `case ID in ID) echo same;; esac`,
  `cat <<EOF\n"ID" 'ID' ID \\$HOME\nEOF`,
  `echo one # it's ID\necho 'ID' "it's ID"`,
  `bash -c "echo 'ID' \\"ID\\""`,
  `bash -c 'echo "ID"; echo ID'`,
  `echo "$(echo 'ID' "$(echo "ID")")" \`echo 'ID'\``,
  `printf '%s\\n' $'a\\tID\\n' $'ID' $'ID x' 'ID x' 'x ID'`,
  'echo {ID,x-ID}-{1,2}',
  'a=(ID "ID" 2); echo "${a[@]}"',
  'grep -c ID <<< "an ID"',
  `sed 's/^/ID: /' <<< ID`,
  `awk '{print "ID", $1}' <<< 'ID'`,
  `echo "IDx xID ID_2 ID-2" 'xID'`,
  `f() { echo "$1 ID"; }; f ID`,
  `echo \\"ID\\" \\'ID\\'`,
  `echo ID; (echo 'ID'; echo "ID") && echo ID &\nwait`,
  `printf '%s\\n' "a\nID" 'b\nID'`,
] as const // literals

it('does with another value what each command would do with it', () => {
  const isPart = /(?<![A-Za-z0-9])ID(?![A-Za-z0-9])/g
  const put = withId.map((command) => putVariable(command.replaceAll('ID', 'a1b2c3d4'), 'a1b2c3d4', 'value1'))
  const meant = withId.map((command) => command.replaceAll(isPart, '77ee88ff').replaceAll('ID', 'a1b2c3d4'))
  const printed = (all: readonly string[]): object =>
    Object.fromEntries(runEach(all, { env: { value1: '77ee88ff' } }).map((one, index) => [withId[index], one]))
  expect(printed(put)).toEqual(printed(meant))
})
