import { expect, it } from 'vitest'
import type { AgentCall, CommandCall } from '../../../src/records/agent-call.ts'
import { derivePieces } from '../../../src/recordings/derive/derive-pieces.ts'
import { noBrowser as browser } from './no-browser.ts'

const directory = '/srv/copy 1'

function command(text: string, more: Partial<CommandCall> = {}): CommandCall {
  const base = { kind: 'command', step: '1-a', cwd: directory, exitCode: 0, output: '', isLook: false } as const // a literal kind
  return { ...base, command: text, ...more }
}

function derive(
  calls: readonly AgentCall[],
  quotes: readonly string[] = [],
  known = '',
): ReturnType<typeof derivePieces> {
  return derivePieces({ steps: [{ step: '1-a', quotes }], calls, directory, browser, roots: ['/srv'], known })
}

function commandsOf(calls: readonly AgentCall[], quotes: readonly string[] = []): readonly string[] {
  const { steps } = derive(calls, quotes)
  return steps.flatMap(({ pieces }) => pieces.flatMap((piece) => ('command' in piece ? [piece.command] : [])))
}

it('keeps all but looks that were not quoted', () => {
  const calls = [
    command('ls', { isLook: true, output: 'notes.mjs\n' }),
    command('node notes.mjs ad "milk"', { exitCode: 1, output: 'unknown: ad\n' }),
    command('node notes.mjs add "milk"', { output: 'added 1: milk\n' }),
    command('cat notes.json', { isLook: true, output: '["milk"]\n' }),
  ]
  expect(commandsOf(calls)).toEqual(['node notes.mjs ad "milk"', 'node notes.mjs add "milk"'])
  expect(commandsOf(calls, ['["milk"]', 'unknown: ad'])).toEqual([
    'node notes.mjs ad "milk"',
    'node notes.mjs add "milk"',
    'cat notes.json',
  ])
})

it('gives a quote to the last command of the step that printed it', () => {
  const calls = [command('one', { output: 'total 3\n' }), command('two', { output: '\u001B[1mtotal\u001B[0m   3\n' })]
  const [step] = derive(calls, ['total 3']).steps
  expect(step?.pieces.map((piece) => piece.kind === 'command' && piece.quotes)).toEqual([[], ['total 3']])
})

it.each<[string, readonly AgentCall[], readonly string[], RegExp]>([
  ['words that nothing printed', [command('one', { output: 'a\n' })], ['b'], /No command of the step printed .*"b"/],
  [
    'words of an earlier step',
    [command('one', { step: '0-x', output: 'b\n' }), command('two', { output: 'a\n' })],
    ['b'],
    /an earlier step printed: "b"/,
  ],
  ['a sub-agent', [{ kind: 'unrepeatable', step: '1-a', why: 'a sub-agent did it' }], [], /a sub-agent did it/],
  ['another machine', [command('curl https://example.org/x')], [], /another machine: https:\/\/example\.org\/x/],
  ['a host that only begins like this one', [command('curl http://localhost.evil.org')], [], /another machine/],
  [
    'a file outside',
    [{ kind: 'edit', step: '1-a', file: '/etc/x', content: '' }],
    [],
    /outside of its directory: \/etc\/x/,
  ],
  ['another directory', [command('ls', { cwd: '/srv/copy' })], [], /outside of the directory/],
])('names as an obstacle %s', (_what, calls, quotes, why) => {
  const steps = [
    { step: '0-x', quotes: [] },
    { step: '1-a', quotes },
  ]
  const { obstacles } = derivePieces({ steps, calls, directory, browser, roots: ['/srv'], known: '' })
  expect(obstacles.map((one) => one.step)).toEqual(['1-a'])
  expect(obstacles[0]?.why).toMatch(why)
})

it.each(['http://127.0.0.1:8080/', 'http://localhost:3000', 'http://localhost/x', "'http://[::1]:1/'"])(
  'takes %s for this machine',
  (address) => {
    expect(derive([command(`curl ${address}`)]).obstacles).toEqual([])
  },
)

it('takes the place where the agent worked out of commands and outputs', () => {
  const deep = `${directory}/deep/er`
  const calls = [
    command(`cd . && cat "${directory}/a b.txt"; echo ${directory}`),
    command(`ls ${directory}/x`, { cwd: deep, output: `${directory}/x\n` }),
  ]
  const [step] = derive(calls).steps
  expect(step?.pieces).toMatchObject([
    { command: 'cat "./a b.txt"; echo .', cwd: '.' },
    { command: 'ls ../../x', cwd: 'deep/er', output: `${directory}/x\n` },
  ])
})

it('waits for the port that a later command asks', () => {
  const calls: readonly AgentCall[] = [
    { kind: 'service', step: '1-a', command: 'node server.mjs 4711', cwd: directory },
    command('curl -s http://127.0.0.1:4711/', { output: 'hello\n' }),
  ]
  expect(derive(calls, ['hello']).steps[0]?.pieces[0]).toEqual({
    kind: 'service',
    command: 'node server.mjs 4711',
    cwd: '',
    wait: 'port:4711',
  })
})

it.each([
  ['bare', 'pay a1b2c3d4', 'pay "$value1"'],
  ['amid single quotes', "pay 'id=a1b2c3d4;'", `pay 'id='"$value1"';'`],
])('makes a variable of a value that an output brought up: %s', (_what, text, expected) => {
  const calls = [command('new', { output: 'order a1b2c3d4 created\n' }), command(text)]
  const [step] = derive(calls).steps
  expect(step?.pieces).toMatchObject([
    { mints: [{ name: 'value1', token: 'a1b2c3d4', source: '[0-9a-fA-F]+' }] },
    { command: expected, mints: [] },
  ])
})

it.each([
  ['the spec names it', 'order a1b2c3d4', 'pay a1b2c3d4', 'pay a1b2c3d4 then'],
  ['it is a word without a digit', 'order fresh', 'pay fresh', ''],
  ['it is short', 'order 12', 'pay 12', ''],
  ['it is part of another word', 'order a1b2c3d4', 'pay xa1b2c3d4', ''],
  ['it goes on with a relative path', './src/notes.mjs', 'cat ./src/notes.mjs', ''],
  ['it goes on with a path in a variable', '/src/notes.mjs', 'cat "$PWD"/src/notes.mjs', ''],
  ['nobody uses it', 'order a1b2c3d4', 'list', ''],
])('leaves a value as it is where %s', (_what, output, text, known) => {
  const { steps } = derive([command('new', { output: `${output}\n` }), command(text)], [], known)
  expect(steps[0]?.pieces).toMatchObject([{ mints: [] }, { command: text }])
})

it('names the root of the project by its variable, and the working directory where a relative path would be another one', () => {
  const commands = [
    `node /srv/prog.mjs x`,
    `cd ${directory}/deep && node "${directory}/prog.mjs"`,
    `cat ${directory}/x`,
  ]
  expect(commandsOf(commands.map((text) => command(text)))).toEqual([
    'node "$TESTROOT"/prog.mjs x',
    'cd ./deep && node "${TESTROOT}/copy 1/prog.mjs"',
    'cat ./x',
  ])
})

it.each([
  ['a path', 'exported to /tmp/x1/export-Ab1', 'cat /tmp/x1/export-Ab1/orders.csv', 'cat "$value1"/orders.csv'],
  ['a part of a word', 'order-a1b2c3d4 is new', 'pay a1b2c3d4', 'pay "$value1"'],
  ['a word in a longer one', 'order a1b2c3d4 is new', 'cat order-a1b2c3d4.json', 'cat order-"$value1".json'],
  ['a short hash', `commit ${'a1b2c3d4e5'.repeat(4)}`, 'git show a1b2c3d4e5', 'git show "${value1:0:10}"'],
])('makes a variable of %s', (_what, output, text, expected) => {
  const [step] = derive([command('new', { output: `${output}\n` }), command(text)]).steps
  expect(step?.pieces).toMatchObject([{ mints: [{ name: 'value1' }] }, { command: expected }])
})

it('takes a part of a path that a later output brings up for no value of its own', () => {
  const calls = [
    command('new', { output: 'saved in /tmp/x-a1b2/t/orders.json\n' }),
    command('export', { output: 'exported to /tmp/x-a1b2/t/export-3\n' }),
    command('cat /tmp/x-a1b2/t/export-3/orders.csv'),
  ]
  const [step] = derive(calls).steps
  expect(step?.pieces).toMatchObject([
    { mints: [] },
    { mints: [{ token: '/tmp/x-a1b2/t/export-3' }] },
    { command: 'cat "$value1"/orders.csv' },
  ])
})
