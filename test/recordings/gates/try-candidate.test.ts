import { expect, it } from 'vitest'
import { useScenario } from '../../scenario/use-scenario.ts'
import { recordCalls, type Told } from './record-calls.ts'

const openScenario = useScenario()

const notes = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
const file = 'notes.json'
const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
const [command, text] = process.argv.slice(2)
const save = () => writeFileSync(file, JSON.stringify(all))
if (command === 'add') { all.push(text); save(); console.log('added ' + all.length + ': ' + text) }
else if (command === 'list') for (const [n, note] of all.entries()) console.log(n + 1 + ' [ ] ' + note)
else if (command === 'mint') { const id = randomBytes(4).toString('hex'); all.push(id); save(); console.log('order ' + id + ' at ' + new Date().toISOString()) }
else if (command === 'number') console.log('ticket T-' + (1000 + all.length))
else if (command === 'show') console.log(all.includes(text) ? text + ': open' : 'no order ' + text)
else { console.error('unknown: ' + command); process.exitCode = 1 }
`

const spec = `---
cwd: copy
---

# Notes

## Add

Add a note "milk".

## Look

Look at the list.
`

const record = (steps: readonly (readonly Told[])[]): Promise<string> =>
  recordCalls(openScenario, { spec, steps, files: { 'notes.mjs': notes } })

it('records what the agent did and quoted', async () => {
  const text = await record([
    [
      { command: 'ls', output: 'notes.mjs\n', isLook: true },
      { command: 'node notes.mjs add "milk"', output: 'added 1: milk\n', quote: 'added 1: milk' },
    ],
    [{ command: 'node notes.mjs list', output: '1 [ ] milk\n', quote: '[ ] milk' }],
  ])
  expect(text).toBe(
    '```console\n$ node notes.mjs add "milk"\nadded 1: milk\n```\n\n```console\n$ node notes.mjs list\n1 [ ] milk\n```',
  )
})

it('captures what a later command needs', async () => {
  const text = await record([
    [
      {
        command: 'node notes.mjs mint',
        output: 'order a1b2c3d4 at 2020-01-01T10:00:00.000Z\n',
        quote: 'order a1b2c3d4',
      },
    ],
    [{ command: 'node notes.mjs show a1b2c3d4', output: 'a1b2c3d4: open\n', quote: 'a1b2c3d4: open' }],
  ])
  expect(text).toContain('order {{value1:/[0-9a-fA-F]+/}} at {{any_time1:/')
  expect(text).toContain('$ node notes.mjs show "$value1"\n{{value1}}: open')
})

it('captures what a later command needs in the first line that can hold it, whatever was quoted', async () => {
  const quote = 'total 5'
  const printed = ['xIDx', 'ID\u0007', 'order ID created, ID', 'ID', 'total 5']
  const expected = ['...', 'order {{value1:/[0-9a-fA-F]+/}} created, {{value1}}', '...', 'total 5']
  const program = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
const id = existsSync('id') ? readFileSync('id', 'utf8') : randomBytes(4).toString('hex')
writeFileSync('id', id)
if (process.argv[2] === id) console.log('open')
else for (const line of ${JSON.stringify(printed)}) console.log(line.replaceAll('ID', id))
`
  const output = printed.map((line) => `${line.replaceAll('ID', 'a1b2c3d4')}\n`).join('')
  const text = await recordCalls(openScenario, {
    spec,
    steps: [
      [{ command: 'node order.mjs', output, quote }],
      [{ command: 'node order.mjs a1b2c3d4', output: 'open\n', quote: 'open' }],
    ],
    files: { 'order.mjs': program },
  })
  const first = ['```console', '$ node order.mjs', ...expected, '```'].join('\n')
  expect(text).toBe(`${first}\n\n\`\`\`console\n$ node order.mjs "$value1"\nopen\n\`\`\``)
})

it('expects a value that never changes as it is', async () => {
  const text = await record([
    [{ command: 'node notes.mjs number', output: 'ticket T-1000\n', quote: 'ticket T-1000' }],
    [{ command: 'node notes.mjs show T-1000', output: 'no order T-1000\n', quote: 'no order T-1000' }],
  ])
  expect(text).toContain('ticket {{value1:/T-1000/}}')
  expect(text).toContain('$ node notes.mjs show "$value1"\nno order {{value1}}')
})

it.each<[string, readonly (readonly Told[])[], RegExp]>([
  [
    'words of the agent',
    [
      [{ command: `node -p "'added 1: milk'"`, output: 'added 1: milk\n', quote: 'added 1: milk' }],
      [{ command: 'echo a list', output: 'a list\n', quote: 'a list' }],
    ],
    /^VACUOUS at/,
  ],
  [
    'a step that quotes nothing',
    [
      [{ command: 'node notes.mjs add "milk"', output: 'added 1: milk\n', quote: 'added 1: milk' }],
      [{ command: 'node notes.mjs list', output: '1 [ ] milk\n' }],
    ],
    /^VACUOUS at Look:11/,
  ],
  [
    'what comes out otherwise without the agent',
    [
      [{ command: 'node notes.mjs add "milk"', output: 'added 7: milk\n', quote: 'added 7: milk' }],
      [{ command: 'node notes.mjs list', output: '1 [ ] milk\n', quote: 'milk' }],
    ],
    /^NOT_REPRODUCED at Add:7: .*did not print "added 7: milk" again/,
  ],
  [
    'a command that fails without the agent',
    [
      [{ command: 'node notes.mjs addd', output: 'added 1: milk\n', quote: 'added 1: milk' }],
      [{ command: 'node notes.mjs list', output: '1 [ ] milk\n', quote: 'milk' }],
    ],
    /^NOT_REPRODUCED at Add:7/,
  ],
  [
    'a failure that is hidden',
    [
      [
        {
          command: 'node notes.mjs addd || true; echo "added 1: milk"',
          output: 'added 1: milk\n',
          quote: 'added 1: milk',
        },
        { command: 'node notes.mjs add milk', output: 'added 2: milk\n' },
      ],
      [{ command: 'node notes.mjs list', output: '1 [ ] milk\n', quote: 'milk' }],
    ],
    /^(?:VACUOUS|NOT_REPRODUCED) at Add:7/,
  ],
])('refuses %s', async (_what, steps, refusal) => {
  expect(await record(steps)).toMatch(refusal)
})
