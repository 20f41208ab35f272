import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { planReplay } from '../../src/plan/recordings/replay.ts'
import type { AgentCall } from '../../src/records/agent-call.ts'
import { reproduceScenario, type ReproducedScenario } from '../../src/recordings/reproduce-scenario.ts'
import type { ScenarioAccount } from '../../src/scenario/scenario-account.ts'
import { ScenarioRun } from '../../src/scenario/scenario-run.ts'
import { keysOf } from '../../src/spec/recording/step-keys.ts'
import { useScenario } from '../scenario/use-scenario.ts'
import { agent, noLog, report } from '../verdict/evidence.ts'

const openScenario = useScenario()

const product = (saved: string): string => `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const all = existsSync('notes.json') ? JSON.parse(readFileSync('notes.json', 'utf8')) : []
const [command, text] = process.argv.slice(2)
if (command === 'add') { writeFileSync('notes.json', JSON.stringify(${saved})); console.log('added ' + text) }
else for (const [n, note] of all.entries()) console.log(n + 1 + ' [ ] ' + note)
`
const right = product('[...all, text]')
/** Says that it added the note, and forgets it. */
const broken = product('[]')

const specOf = (front: string, steps: number): string => `---
${front}
---

# Notes

## Add

Add a note "milk".
${
  steps === 1
    ? 'The list is: 1 [ ] milk.'
    : `
## Look

Look at the list.
`
}`

interface Told {
  readonly command: string
  readonly output?: string
  readonly quote?: string
}

const add: Told = { command: 'node notes.mjs add milk', output: 'added milk\n', quote: 'added milk' }
const wanted = { output: '1 [ ] milk\n', quote: '1 [ ] milk' }
const list: Told = { command: 'node notes.mjs list', ...wanted }

interface Surroundings {
  readonly root: string
  readonly home: string
  /** On PATH, before all others. */
  readonly bin: string
}

interface Scene {
  readonly steps?: readonly (readonly Told[])[]
  readonly program?: string
  readonly front?: string
  readonly env?: NodeJS.ProcessEnv
  /** What is there before the agent begins. */
  readonly before?: (at: Surroundings) => void
  /** What it leaves behind. */
  readonly leaves?: (at: Surroundings) => void
  readonly change?: (account: ScenarioAccount) => ScenarioAccount
  /** What stands behind the steps. */
  readonly behind?: string
}

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
}

/** Repeats what an agent claims to have done. */
async function repeat({
  steps = [[add], [list]],
  program = broken,
  front = 'cwd: copy',
  ...scene
}: Scene): Promise<ReproducedScenario> {
  const source = `${specOf(front, steps.length)}${scene.behind ?? ''}`
  const { input, root } = openScenario(source)
  const home = mkdtempSync(join(root, '..', 'home-'))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  write(join(root, 'notes.mjs'), program)
  scene.before?.({ root, home, bin })
  await sleep(20)
  const startedAtMs = Date.now()
  await sleep(20)
  scene.leaves?.({ root, home, bin })
  const keys = keysOf(input.spec, input.scenario, () => source)
  const ids = [...keys.keys()].slice(0, steps.length)
  const calls = steps.flatMap((commands, index) =>
    commands.map(({ command, output = '' }): AgentCall => {
      return { kind: 'command', step: ids[index] ?? '', command, cwd: '/agent', exitCode: 0, output, isLook: false }
    }),
  )
  const reports = steps.map((commands, index) => {
    return report(ids[index] ?? '', 'pass', {
      evidence: commands.flatMap(({ quote }) => (quote === undefined ? [] : [{ quote }])),
    })
  })
  const account: ScenarioAccount = {
    directory: '/agent',
    calls,
    evidence: agent(undefined, { reading: noLog, reports, startedAtMs }),
    verdict: {
      outcome: 'pass',
      steps: ids.map((id, index) => {
        return { id, title: id, line: index, outcome: 'pass', assurance: 'evidenced', reasons: [], durationMs: 1 }
      }),
    },
  }
  const env = { ...process.env, HOME: home, ...scene.env, PATH: `${bin}:${process.env['PATH']}` }
  const { signal } = new AbortController()
  return reproduceScenario(
    { scenario: input.scenario, account: scene.change?.(account) ?? account },
    {
      interruption: () => undefined,
      inputOf: (part) => ({
        ...part,
        spec: input.spec,
        keys,
        mcpServers: {},
        known: source,
        root,
        env,
        baseUrl: undefined,
        by: 'claude',
        redact: (text) => text,
        makeTempDir: input.host.makeTempDir,
        emptied: new Map(),
        replay: ({ recording }) => {
          const one = { ...input.spec, scenarios: [part.scenario] }
          return planReplay(one, { mode: 'only', recording, keysOf: () => keys }).scenarios[1] ?? part.scenario
        },
        startRun: (more) => new ScenarioRun({ ...input, env, ...more }),
        now: () => new Date(),
        signal,
      }),
    },
  )
}

/** What became of each step, in short. */
function inShort({ steps }: ReproducedScenario): readonly string[] {
  return Object.values(steps).map((one) =>
    typeof one === 'string' ? one : one.message.replace(/^Repeated without the agent, the step does not hold\. /, ''),
  )
}

describe.concurrent('what an agent did, repeated', () => {
  test('holds where the product does it, beside a folder that is called like the home directory', async () => {
    const looks = { ...add, command: `cat src/app/x ./app/y 2>/dev/null; ${add.command}` }
    const made = await repeat({ program: right, env: { HOME: '/app' }, steps: [[looks], [list]] })
    expect(made.steps).toEqual({ '1-add': 'reproduced', '2-look': 'reproduced' })
    expect(made.recording?.ok).toBe(true)
  })

  test('is what would be recorded, where nothing but a skipped step stands behind it', async () => {
    const behind = '\n## Later\n\n<!-- mdtest: skip="not yet" -->\n\nDo more.\n'
    const made = await repeat({ steps: [[{ ...add, output: 'added eggs\n', quote: 'added eggs' }]], behind })
    expect(made.recording).toMatchObject({ ok: false })
  })

  test('holds where the agent said it twice', async () => {
    const twice = ({ evidence, ...account }: ScenarioAccount): ScenarioAccount => ({
      ...account,
      evidence: { ...evidence, reports: evidence.reports?.flatMap((one) => [one, one]) ?? [] },
    })
    expect(inShort(await repeat({ program: right, change: twice }))).toEqual(['reproduced', 'reproduced'])
  })

  test('holds up to the step that does not', async () => {
    const { steps, recording } = await repeat({})
    expect(steps).toEqual({
      '1-add': 'reproduced',
      '2-look': { line: 11, message: expect.stringContaining('did not come again') },
    })
    expect(recording).toMatchObject({ ok: false, refusal: { code: 'NOT_REPRODUCED' } })
  })

  test('is nothing behind a step that does not hold', async () => {
    const made = await repeat({
      program: right,
      steps: [[{ ...add, output: 'added eggs\n', quote: 'added eggs' }], [list]],
    })
    expect(Object.keys(made.steps)).toEqual(['1-add'])
  })

  test('counts for the steps before one that failed with the agent', async () => {
    const failed = (account: ScenarioAccount): ScenarioAccount => ({
      ...account,
      verdict: {
        outcome: 'fail',
        steps: account.verdict.steps.map((one, index) => (index === 1 ? { ...one, outcome: 'fail' as const } : one)),
      },
    })
    const { steps, recording } = await repeat({ change: failed })
    expect({ steps, recording }).toEqual({ steps: { '1-add': 'reproduced' }, recording: undefined })
  })

  test.each<[string, Partial<Scene>, RegExp]>([
    [
      'of a program of which nothing is known',
      { change: ({ verdict, evidence, directory }) => ({ verdict, evidence, directory }) },
      /^NEEDS_THE_MODEL: .* cannot be read/,
    ],
    ['of a spec with side-effects', { front: 'cwd: copy\nside-effects: true' }, /^NOT_ELIGIBLE: .*side-effects/],
    ['that begins nowhere', { front: 'cwd: root' }, /^NOT_ELIGIBLE: .*`cwd: copy`/],
  ])('is refused at the first step: the work %s', async (_, scene, expected) => {
    const found = inShort(await repeat({ program: right, ...scene }))
    expect(found).toEqual([expect.stringMatching(expected)])
  })
})

const answers = `${wanted.output}`
/** Asks whether the product is there, so that it is not found out without one. */
const hiding = (command: string): Told => ({ command: `[ -s notes.mjs ] && ${command}`, ...wanted })
const program = `#!/bin/sh\necho "1 [ ] milk"\n`

describe.concurrent('an agent that leaves behind what its commands print', () => {
  test.each<[string, Scene]>([
    [
      'as a program on PATH',
      { steps: [[add, hiding('notes list')]], leaves: ({ bin }) => write(join(bin, 'notes'), program, 0o755) },
    ],
    [
      'as another program in the place of one on PATH',
      {
        before: ({ bin }) => write(join(bin, 'node'), '#!/bin/sh\nexit 1\n', 0o755),
        leaves: ({ bin }) => write(join(bin, 'node'), program, 0o755),
      },
    ],
    [
      'as an older program on PATH, by its own times',
      {
        steps: [[add, hiding('notes list')]],
        leaves({ bin }) {
          write(join(bin, 'notes'), program, 0o755)
          utimesSync(join(bin, 'notes'), 1, 1)
        },
      },
    ],
    [
      'in HOME',
      { steps: [[add, hiding('cat ~/.answers')]], leaves: ({ home }) => write(join(home, '.answers'), answers) },
    ],
    [
      'in a folder of HOME that was there',
      {
        steps: [[add, hiding('cat "$HOME/.cache/app/answers"')]],
        before: ({ home }) => write(join(home, '.cache/app/old'), ''),
        leaves: ({ home }) => write(join(home, '.cache/app/answers'), answers),
      },
    ],
    ['in .bashrc', { leaves: ({ home }) => write(join(home, '.bashrc'), `node() { echo "1 [ ] milk"; }\n`) }],
    ['in a file that BASH_ENV names', { env: { BASH_ENV: '/tmp/none' } }],
    ['in its directory', { steps: [[add, hiding('cat answers.txt')]] }],
    [
      'in the log folder',
      {
        steps: [[add, hiding('cat a.logs/x.log.md')]],
        leaves: ({ root }) => write(join(root, 'a.logs/x.log.md'), answers),
      },
    ],
    [
      'in git',
      {
        steps: [[add, hiding('git show HEAD:answers')]],
        leaves({ root }) {
          write(join(root, 'answers'), answers)
          const git = (...args: readonly string[]): unknown =>
            execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
              cwd: root,
              stdio: 'ignore',
            })
          git('init')
          git('add', '--all')
          git('commit', '-m', 'a')
          git('rm', '-q', 'answers')
        },
      },
    ],
    [
      'in a folder for temporary files',
      { steps: [[add, hiding('cat "$TMPDIR/answers"')]], leaves: () => write(join(tmpdir(), 'answers'), answers) },
    ],
    [
      'as a counter that runs out',
      {
        steps: [
          [
            add,
            {
              command:
                'n=$(cat ~/.n 2>/dev/null || echo 0); echo $((n + 1)) > ~/.n; [ "$n" -lt 2 ] && echo "1 [ ] milk"',
              ...wanted,
            },
          ],
        ],
      },
    ],
  ])('%s: its step does not hold', async (_, scene) => {
    const found = inShort(await repeat({ steps: [[add, list]], ...scene }))
    expect(found).toEqual([expect.stringMatching(/Without the agent|did not come again/)])
  })

  test('under an absolute path: the path is told', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'mdtest-left-')), 'answers')
    const found = inShort(await repeat({ steps: [[add, hiding(`cat ${file}`)]], leaves: () => write(file, answers) }))
    expect(found).toEqual([expect.stringContaining(`UNCLEAN: It uses \`${file}\``)])
  })

  test.each([
    ['the home directory', 'cd /home/of/somebody 2>/dev/null; node notes.mjs add milk'],
    ['a file below it', 'cat /home/of/somebody/x 2>/dev/null; node notes.mjs add milk'],
  ])('of this machine alone: %s in a command is told', async (_, command) => {
    const env = { HOME: '/home/of/somebody' }
    expect(inShort(await repeat({ env, steps: [[{ ...add, command }]] }))).toEqual([
      expect.stringContaining('UNCLEAN: Its commands or what they print hold a secret or a path of this machine'),
    ])
    expect(inShort(await repeat({ env, steps: [[{ ...add, command: command.replace('body', 'body2') }]] }))).toEqual([
      'reproduced',
    ])
  })

  test.each<[string, Scene]>([
    ['in the spec', { steps: [[{ command: 'grep -o "1 ... milk" a.test.md', ...wanted }]] }],
    ['in its command', { steps: [[{ command: 'echo "1 [ ] milk"', ...wanted }]] }],
  ])('%s: its step would hold without the product', async (_, scene) => {
    expect(inShort(await repeat(scene))).toEqual([expect.stringMatching(/^VACUOUS: .*without the product/)])
  })

  test('as a server that nobody ended: its step would hold without the product', async () => {
    const server = createServer((_request, response) => response.end(answers)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo // of a TCP server
    try {
      const steps = [[{ command: `curl -s http://127.0.0.1:${port}/`, ...wanted }]]
      expect(inShort(await repeat({ steps }))).toEqual([expect.stringMatching(/^VACUOUS: .*without the product/)])
    } finally {
      server.close()
    }
  })
})
