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
const withVerify = `${spec}\n\`\`\`sh verify\necho "$ID" > /dev/null\n\`\`\`\n`

function record(steps: readonly (readonly Told[])[], text = spec): Promise<string> {
  const files = { 'notes.sh': notes, 'app/notes.sh': notes }
  return recordCalls(openScenario, { spec: text, steps, files, isLasting: true })
}

it('repeats in one shell what later commands need, and nothing else', async () => {
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

const recorded = `\`\`\`console
$ cat > "$TMPDIR"/in.txt <<'EOF'
> one
> EOF
$ sh notes.sh load "$TMPDIR"/in.txt
loaded one
$ ID=$(sh notes.sh add milk)
$ sh notes.sh show "$ID"
{{value1:/[0-9a-fA-F]+/}} milk
$ note() { sh notes.sh "$@"; }
$ (OTHER=$(note add tea); note show "$OTHER")
[0-9a-fA-F]+ tea (re)
\`\`\`

\`\`\`console cwd=.
$ cd app && export MODE=strict
\`\`\`

\`\`\`console cwd=app
$ sh notes.sh add x
...
\`\`\`

\`\`\`console
$ note show "$ID"
{{value1}} milk
$ sh notes.sh load "$TMPDIR/in.txt"
loaded onestrict
$ sh notes.sh mode
mode strict
\`\`\``

it.each<[string, readonly (readonly Told[])[], string, RegExp]>([
  [
    'blocks of the spec would find',
    [[{ command: 'ID=$(sh notes.sh add milk)' }, { command: 'sh notes.sh show "$ID"', quote: 'milk' }], []],
    withVerify,
    /^NOT_ELIGIBLE: `ID=.*commands of the spec behind them would find it/,
  ],
  [
    'a shell that blocks made anew does not have',
    [
      [{ command: 'export MODE=strict' }, { command: 'sh notes.sh mode', quote: 'mode strict' }],
      [{ command: 'sh notes.sh mode', quote: 'mode plain', isRenewed: true }],
    ],
    spec,
    /^NOT_ELIGIBLE: `export MODE=strict`/,
  ],
  [
    'has the directory of an earlier command',
    [[{ command: 'cd app' }, { command: 'cd - > /dev/null && sh notes.sh mode', quote: 'mode plain' }], []],
    spec,
    /^NOT_ELIGIBLE: .* goes by where an earlier command was/,
  ],
  [
    'asks for the folder by its name',
    [[{ command: 'printenv MDTEST_SCRATCH > /dev/null && echo is', quote: 'is' }], []],
    spec,
    /^NEEDS_THE_MODEL: A command asks for `MDTEST_SCRATCH`/,
  ],
])('refuses what %s', async (_what, steps, text, refusal) => {
  expect(await record(steps, text)).toMatch(refusal)
})
