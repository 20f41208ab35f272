import { expect, it } from 'vitest'
import { useScenario } from '../../scenario/use-scenario.ts'
import { recordCalls, type Told } from './record-calls.ts'

const openScenario = useScenario()

const notes = `import { appendFileSync, readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
const [command, text] = process.argv.slice(2)
if (command === 'add') { const id = randomBytes(4).toString('hex'); appendFileSync('notes.txt', id + ' ' + text + '\\n'); console.log(id) }
else if (command === 'show') console.log(readFileSync('notes.txt', 'utf8').split('\\n').find((line) => line.startsWith(text)) ?? 'none')
else if (command === 'mode') console.log('mode ' + (process.env.MODE ?? 'plain'))
else if (command === 'load') console.log('loaded ' + readFileSync(text, 'utf8').trim() + (process.env.MODE ?? ''))
`

const spec = '---\ncwd: copy\n---\n\n# Notes\n\n## Add\n\nDo it.\n\n## Look\n\nLook.\n'
const withVerify = `${spec}\n\`\`\`sh verify\necho "$ID" > /dev/null\n\`\`\`\n`

function record(steps: readonly (readonly Told[])[], text = spec): Promise<string> {
  const files = { 'notes.mjs': notes, 'app/notes.mjs': notes }
  return recordCalls(openScenario, { spec: text, steps, files, isLasting: true })
}

it('repeats in one shell what later commands need, and nothing else', async () => {
  const text = await record([
    [
      { writes: ['OWN/in.txt', 'one\n'] },
      { command: 'node notes.mjs load OWN/in.txt', quote: 'loaded one' },
      { command: 'ID=$(node notes.mjs add milk)' },
      { command: 'node notes.mjs show "$ID"', quote: 'milk' },
      { command: 'note() { node notes.mjs "$@"; }' },
      { command: 'OTHER=$(note add tea); note show "$OTHER"', quote: 'tea' },
      { command: 'cd app && export MODE=strict' },
      { command: 'node notes.mjs add x' },
    ],
    [
      { command: 'cd ..; ls', isLook: true },
      { command: 'note show "$ID"', quote: 'milk' },
      { command: 'node notes.mjs load "$MDTEST_SCRATCH/in.txt"', quote: 'loaded one' },
      { command: 'node notes.mjs mode', quote: 'mode strict' },
    ],
  ])
  expect(text).toBe(recorded)
})

const recorded = `\`\`\`console
$ cat > "$TMPDIR"/in.txt <<'EOF'
> one
> EOF
$ node notes.mjs load "$TMPDIR"/in.txt
loaded one
$ ID=$(node notes.mjs add milk)
$ node notes.mjs show "$ID"
[0-9a-fA-F]+ milk (re)
$ note() { node notes.mjs "$@"; }
$ (OTHER=$(note add tea); note show "$OTHER")
[0-9a-fA-F]+ tea (re)
\`\`\`

\`\`\`console cwd=.
$ cd app && export MODE=strict
\`\`\`

\`\`\`console cwd=app
$ node notes.mjs add x
...
\`\`\`

\`\`\`console
$ note show "$ID"
[0-9a-fA-F]+ milk (re)
$ node notes.mjs load "$TMPDIR/in.txt"
loaded onestrict
$ node notes.mjs mode
mode strict
\`\`\``

it.each<[string, readonly (readonly Told[])[], string, RegExp]>([
  [
    'blocks of the spec would find',
    [[{ command: 'ID=$(node notes.mjs add milk)' }, { command: 'node notes.mjs show "$ID"', quote: 'milk' }], []],
    withVerify,
    /^NOT_ELIGIBLE: `ID=.*commands of the spec behind them would find it/,
  ],
  [
    'a shell that blocks made anew does not have',
    [
      [{ command: 'export MODE=strict' }, { command: 'node notes.mjs mode', quote: 'mode strict' }],
      [{ command: 'node notes.mjs mode', quote: 'mode plain', isRenewed: true }],
    ],
    spec,
    /^NOT_ELIGIBLE: `export MODE=strict`/,
  ],
  [
    'has the directory of an earlier command',
    [[{ command: 'cd app' }, { command: 'cd - > /dev/null && node notes.mjs mode', quote: 'mode plain' }], []],
    spec,
    /^NOT_ELIGIBLE: .* goes by where an earlier command was/,
  ],
  [
    'asks for the folder by its name',
    [[{ command: `node -p 'process.env.MDTEST_SCRATCH ? "is" : "no"'`, quote: 'is' }], []],
    spec,
    /^NEEDS_THE_MODEL: A command asks for `MDTEST_SCRATCH`/,
  ],
])('refuses what %s', async (_what, steps, text, refusal) => {
  expect(await record(steps, text)).toMatch(refusal)
})
