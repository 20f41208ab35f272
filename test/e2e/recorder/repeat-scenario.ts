import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { planReplay } from '../../../src/plan/recordings/replay.ts'
import type { AgentCall } from '../../../src/records/agent-call.ts'
import { reproduceScenario, type ReproducedScenario } from '../../../src/recordings/reproduce-scenario.ts'
import type { ScenarioAccount } from '../../../src/scenario/scenario-input.ts'
import { ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { keysOf } from '../../../src/spec/recording/step-keys.ts'
import { useScenario } from '../../scenario/use-scenario.ts'
import { agent, noLog, report } from '../../verdict/evidence.ts'

const product = (save: string): string => `[ -f notes.txt ] || : >notes.txt
case $1 in
  add) ${save} notes.txt; echo "added $2" ;;
  *) grep -n . notes.txt | sed 's/:/ [ ] /' ;;
esac
`
export const right = product('echo "$2" >>')
/** Says that it added the note, and forgets it. */
const broken = product(': >')

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

export const add: Told = { command: 'sh notes.sh add milk', output: 'added milk\n', quote: 'added milk' }
export const wanted = { output: '1 [ ] milk\n', quote: '1 [ ] milk' }
export const list: Told = { command: 'sh notes.sh list', ...wanted }

interface Surroundings {
  readonly root: string
  readonly home: string
  /** On PATH, before all others. */
  readonly bin: string
}

export interface Scene {
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

export function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
}

/** Gives what repeats what an agent claims to have done. */
export function useRepeat(): (scene: Scene) => Promise<ReproducedScenario> {
  const openScenario = useScenario()
  return async function repeat({
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
    write(join(root, 'notes.sh'), program)
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
          known: source,
          root,
          env,
          baseUrl: undefined,
          by: 'claude',
          redact: (text) => text,
          makeTempDir: input.host.makeTempDir,
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
}

/** What became of each step, in short. */
export function inShort({ steps }: ReproducedScenario): readonly string[] {
  return Object.values(steps).map((one) =>
    typeof one === 'string' ? one : one.message.replace(/^Repeated without the agent, the step does not hold\. /, ''),
  )
}

export const answers = wanted.output
/** Asks whether the product is there, so that it is not found out without one. */
export const hiding = (command: string): Told => ({ command: `[ -s notes.sh ] && ${command}`, ...wanted })
