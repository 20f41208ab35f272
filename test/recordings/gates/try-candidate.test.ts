import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { planReplay } from '../../../src/plan/replay.ts'
import type { AgentCall } from '../../../src/records/agent-call.ts'
import { derivePieces } from '../../../src/recordings/derive/derive-pieces.ts'
import { makeEmptiedRoot } from '../../../src/recordings/gates/emptied-root.ts'
import { stampOf } from '../../../src/recordings/gates/folder-stamp.ts'
import { tryCandidate } from '../../../src/recordings/gates/try-candidate.ts'
import { ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { keysOf } from '../../../src/spec/recording/step-keys.ts'
import { useScenario } from '../../scenario/use-scenario.ts'

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

interface Told {
  readonly command: string
  readonly output: string
  readonly quote?: string
  readonly isLook?: boolean
  readonly exitCode?: number
}

/** What becomes of a scenario whose agent ran these commands. */
async function record(
  steps: readonly (readonly Told[])[],
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { input, root } = openScenario(spec)
  for (const [name, text] of Object.entries({ 'notes.mjs': notes, ...files })) writeFileSync(join(root, name), text)
  const keys = keysOf(input.spec, input.scenario, () => spec)
  const ids = [...keys.keys()]
  const calls = steps.flatMap((commands, index) =>
    commands.map(({ command, output, isLook = false, exitCode = 0 }): AgentCall => {
      return { kind: 'command', step: ids[index] ?? '', command, cwd: '/agent', exitCode, output, isLook }
    }),
  )
  const reported = steps.map((commands, index) => ({
    step: ids[index] ?? '',
    quotes: commands.flatMap(({ quote }) => quote ?? []),
  }))
  const derived = derivePieces({ steps: reported, calls, directory: '/agent', known: spec })
  expect(derived.obstacles).toEqual([])
  const result = await tryCandidate({
    steps: derived.steps.map(({ step, pieces }) => ({ step, pieces, title: step, key: keys.get(step) ?? '' })),
    replay: ({ recording }) =>
      planReplay(input.spec, { mode: 'only', recording, keysOf: () => keys }).scenarios[1] ?? input.scenario,
    startRun: (more) => {
      const run = new ScenarioRun({ ...input, ...more })
      return run
    },
    stamp: () => stampOf(root),
    async emptiedRoot() {
      const target = mkdtempSync(join(root, '..', 'emptied-'))
      mkdirSync(target, { recursive: true })
      await makeEmptiedRoot({ root, target, env: input.env, signal: new AbortController().signal })
      return { root: target, spec: { ...input.spec, file: join(target, 'a.test.md') } }
    },
    now: () => new Date(),
    signal: new AbortController().signal,
  })
  if (result.ok) return [...result.written.bodies.values()].join('\n\n')
  const { code, step, line, message } = result.refusal
  return `${code} at ${step}:${line}: ${message}`
}

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
        { command: 'node notes.mjs add milk', output: 'added 1: milk and more\n' },
      ],
      [{ command: 'node notes.mjs list', output: '1 [ ] milk\n', quote: 'milk' }],
    ],
    /^(?:VACUOUS|NOT_REPRODUCED) at Add:7/,
  ],
])('refuses %s', async (_what, steps, refusal) => {
  expect(await record(steps)).toMatch(refusal)
})
