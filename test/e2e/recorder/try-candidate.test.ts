import { expect, it } from 'vitest'
import { useScenario } from '../../scenario/use-scenario.ts'
import { recordCalls, type Told } from './record-calls.ts'

const openScenario = useScenario()

const notes = `[ -f notes.txt ] || : >notes.txt
count() { grep -c . notes.txt; }
case $1 in
  add) echo "$2" >>notes.txt; echo "added $(count): $2" ;;
  list) sed 's/^/[ ] /' notes.txt | grep -n . | sed 's/:/ /' ;;
  mint) id=$(od -An -N4 -tx4 /dev/urandom | tr -d ' '); echo "$id" >>notes.txt; echo "order $id at $(date -u +%FT%TZ)" ;;
  number) echo "ticket T-$((1000 + $(count)))" ;;
  show) if grep -qx "$2" notes.txt; then echo "$2: open"; else echo "no order $2"; fi ;;
  *) echo "unknown: $1" >&2; exit 1 ;;
esac
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
  recordCalls(openScenario, { spec, steps, files: { 'notes.sh': notes } })

it('records what the agent did and quoted', async () => {
  const text = await record([
    [
      { command: 'ls', output: 'notes.sh\n', isLook: true },
      { command: 'sh notes.sh add "milk"', output: 'added 1: milk\n', quote: 'added 1: milk' },
    ],
    [{ command: 'sh notes.sh list', output: '1 [ ] milk\n', quote: '[ ] milk' }],
  ])
  expect(text).toBe(
    '```console\n$ sh notes.sh add "milk"\nadded 1: milk\n```\n\n```console\n$ sh notes.sh list\n1 [ ] milk\n```',
  )
})

it('captures what a later command needs', async () => {
  const text = await record([
    [
      {
        command: 'sh notes.sh mint',
        output: 'order a1b2c3d4 at 2020-01-01T10:00:00.000Z\n',
        quote: 'order a1b2c3d4',
      },
    ],
    [{ command: 'sh notes.sh show a1b2c3d4', output: 'a1b2c3d4: open\n', quote: 'a1b2c3d4: open' }],
  ])
  expect(text).toContain('order {{value1:/[0-9a-f]{8}/}} at {{any_time1:/')
  expect(text).toContain('$ sh notes.sh show "$value1"\n{{value1}}: open')
})

it('captures what a later command needs in the first line that can hold it, whatever was quoted', async () => {
  const quote = 'total 5'
  const printed = ['xIDx', 'ID\u0007', 'order ID created, ID', 'ID', 'total 5']
  const expected = ['...', 'order {{value1:/[0-9a-f]{8}/}} created, {{value1}}', '{{value1}}', 'total 5']
  const lines = printed.map((line) => `echo '${line}' | sed "s/ID/$id/g"`).join('\n  ')
  const program = `[ -f id ] || od -An -N4 -tx4 /dev/urandom | tr -d ' \n' >id
id=$(cat id)
if [ "$1" = "$id" ]; then echo open
else
  ${lines}
fi
`
  const output = printed.map((line) => `${line.replaceAll('ID', 'a1b2c3d4')}\n`).join('')
  const text = await recordCalls(openScenario, {
    spec,
    steps: [
      [{ command: 'sh order.sh', output, quote }],
      [{ command: 'sh order.sh a1b2c3d4', output: 'open\n', quote: 'open' }],
    ],
    files: { 'order.sh': program },
  })
  const first = ['```console', '$ sh order.sh', ...expected, '```'].join('\n')
  expect(text).toBe(`${first}\n\n\`\`\`console\n$ sh order.sh "$value1"\nopen\n\`\`\``)
})

it('expects a value that never changes as it is', async () => {
  const text = await record([
    [{ command: 'sh notes.sh number', output: 'ticket T-1000\n', quote: 'ticket T-1000' }],
    [{ command: 'sh notes.sh show T-1000', output: 'no order T-1000\n', quote: 'no order T-1000' }],
  ])
  expect(text).toContain('ticket {{value1:/T-1000/}}')
  expect(text).toContain('$ sh notes.sh show "$value1"\nno order {{value1}}')
})

it.each<[string, readonly (readonly Told[])[], RegExp]>([
  [
    'a step that quotes nothing',
    [
      [{ command: 'sh notes.sh add "milk"', output: 'added 1: milk\n', quote: 'added 1: milk' }],
      [{ command: 'sh notes.sh list', output: '1 [ ] milk\n' }],
    ],
    /^VACUOUS at Look:11/,
  ],
  [
    'what comes out otherwise without the agent',
    [
      [{ command: 'sh notes.sh add "milk"', output: 'added 7: milk\n', quote: 'added 7: milk' }],
      [{ command: 'sh notes.sh list', output: '1 [ ] milk\n', quote: 'milk' }],
    ],
    /^NOT_REPRODUCED at Add:7: .*did not print "added 7: milk" again/,
  ],
  [
    'a command that fails without the agent',
    [
      [{ command: 'sh notes.sh addd', output: 'added 1: milk\n', quote: 'added 1: milk' }],
      [{ command: 'sh notes.sh list', output: '1 [ ] milk\n', quote: 'milk' }],
    ],
    /^NOT_REPRODUCED at Add:7/,
  ],
])('refuses %s', async (_what, steps, refusal) => {
  expect(await record(steps)).toMatch(refusal)
})
