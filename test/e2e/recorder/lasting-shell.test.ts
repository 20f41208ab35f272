import { expect, it } from 'vitest'
import { useScenario } from '../../scenario/use-scenario.ts'
import { recordCalls, type Told } from './record-calls.ts'

const openScenario = useScenario()

const notes = `case $1 in
  add) id=$(od -An -N4 -tx4 /dev/urandom | tr -d ' '); echo "$id $2" >>notes.txt; echo "$id" ;;
  show) grep "^$2" notes.txt || echo none ;;
  mode) echo "mode \${MODE:-plain}" ;;
  load) echo "loaded $(cat "$2")$MODE" ;;
esac
`

const spec = '---\ncwd: copy\n---\n\n# Notes\n\n## Add\n\nDo it.\n\n## Look\n\nLook.\n'

function record(steps: readonly (readonly Told[])[], text = spec): Promise<string> {
  const files = { 'notes.sh': notes, 'app/notes.sh': notes }
  return recordCalls(openScenario, { spec: text, steps, files, isLasting: true })
}

it('repeats commands in a shell that lasts as that of the agent did', async () => {
  const text = await record([
    [
      { writes: ['OWN/in.txt', 'one\n'] },
      { command: 'sh notes.sh load OWN/in.txt', quote: 'loaded one' },
      { command: 'ID=$(sh notes.sh add milk)' },
      { command: 'sh notes.sh show "$ID"', quote: 'milk' },
      { command: 'note() { sh notes.sh "$@"; }' },
      { command: 'OTHER=$(note add tea); note show "$OTHER"', quote: 'tea' },
      { command: 'cd app && export MODE=strict' },
      { command: 'sh notes.sh add x' },
    ],
    [
      { command: 'cd ..; ls', isLook: true },
      { command: 'note show "$ID"', quote: 'milk' },
      { command: 'sh notes.sh load "$MDTEST_SCRATCH/in.txt"', quote: 'loaded one' },
      { command: 'sh notes.sh mode', quote: 'mode strict' },
    ],
  ])
  expect(text).toBe(recorded)
})

const recorded = `\`\`\`console cwd=.
$ cat > "$TMPDIR"/in.txt <<'EOF'
> one
> EOF
$ sh notes.sh load "$TMPDIR"/in.txt
loaded one
$ ID=$(sh notes.sh add milk)
$ sh notes.sh show "$ID"
{{value1:/[0-9a-f]{8}/}} milk
$ note() { sh notes.sh "$@"; }
$ OTHER=$(note add tea); note show "$OTHER"
[0-9a-f]{8} tea (re)
$ cd app && export MODE=strict
\`\`\`

\`\`\`console cwd=app
$ sh notes.sh add x
...
\`\`\`

\`\`\`console cwd=.
$ note show "$ID"
{{value1}} milk
$ sh notes.sh load "$TMPDIR/in.txt"
loaded onestrict
$ sh notes.sh mode
mode strict
\`\`\``

const seesNothing = `${spec}\n\`\`\`sh verify\ntest -z "$ID" && ! type note && test "$PWD" = "$TESTROOT"\n\`\`\`\n`

it('sets nothing for blocks of the spec', async () => {
  const step = [
    { command: 'ID=$(sh notes.sh add milk); export ID; note() { sh notes.sh "$@"; }; cd app' },
    { command: 'cd ..; note show "$ID"', quote: 'milk' },
  ]
  expect(await record([step, [{ command: 'sh notes.sh mode', quote: 'mode plain' }]], seesNothing)).toContain(
    '$ cd ..; note show "$ID"\n[0-9a-f]{8} milk (re)',
  )
})

it('begins anew where that of the agent did: behind blocks', async () => {
  const between = spec.replace('## Look', '```sh verify\ntrue\n```\n\n## Look')
  const text = await record(
    [
      [{ command: 'export MODE=strict' }, { command: 'sh notes.sh mode', quote: 'mode strict' }],
      [{ command: 'sh notes.sh mode', quote: 'mode plain', isRenewed: true }],
    ],
    between,
  )
  expect(text).toContain('mode plain')
})

it('refuses what asks for the folder of the agent by its name', async () => {
  const command = 'printenv MDTEST_SCRATCH > /dev/null && echo is'
  expect(await record([[{ command, quote: 'is' }], []])).toMatch(
    /^NEEDS_THE_MODEL: A command asks for `MDTEST_SCRATCH`/,
  )
})
