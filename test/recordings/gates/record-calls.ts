import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { planReplay } from '../../../src/plan/recordings/replay.ts'
import type { AgentCall } from '../../../src/records/agent-call.ts'
import { derivePieces } from '../../../src/recordings/derive/derive-pieces.ts'
import { openEmptiedRoot } from '../../../src/recordings/gates/emptied-root.ts'
import { stampOf } from '../../../src/recordings/gates/folder-stamp.ts'
import { tryCandidate } from '../../../src/recordings/gates/try-candidate.ts'
import { ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { keysOf } from '../../../src/spec/recording/step-keys.ts'
import type { useScenario } from '../../scenario/use-scenario.ts'

/** A command or an edit of an agent, and what it quoted of the output. */
export interface Told {
  readonly command?: string
  /** Path and text, in the place of a command. */
  readonly writes?: readonly [string, string]
  /** Default: what comes out. */
  readonly output?: string
  readonly quote?: string
  readonly isLook?: boolean
  readonly exitCode?: number
}

interface Recorded {
  readonly spec: string
  readonly steps: readonly (readonly Told[])[]
  readonly files: Readonly<Record<string, string>>
  /** What set-up blocks do where the agent works. */
  readonly before?: string
}

/** What becomes of a scenario whose agent did this: the blocks of its recording, or why there is none. */
export async function recordCalls(
  openScenario: ReturnType<typeof useScenario>,
  { spec, steps, files, before = 'true' }: Recorded,
): Promise<string> {
  const { input, root } = openScenario(spec)
  writeAll(root, files)
  const keys = keysOf(input.spec, input.scenario, () => spec)
  const ids = [...keys.keys()]
  const directory = mkdtempSync(join(root, '..', 'agent-'))
  writeAll(directory, { ...files, 'a.test.md': spec })
  await execa('bash', ['-c', before], { cwd: directory })
  const calls: AgentCall[] = []
  for (const [index, told] of steps.entries()) {
    for (const one of told) calls.push(await doneCall(one, { step: ids[index] ?? '', directory }))
  }
  const reported = steps.map((told, index) => ({
    step: ids[index] ?? '',
    quotes: told.flatMap(({ quote }) => quote ?? []),
  }))
  const derived = derivePieces({ steps: reported, calls, directory, roots: [directory, root], known: spec })
  const [obstacle] = derived.obstacles
  if (obstacle) return `${obstacle.code}: ${obstacle.why}`
  const { signal } = new AbortController()
  const makeTempDir = async (): Promise<string> => mkdtempSync(join(root, '..', 'emptied-'))
  const inRoot = { root, spec: input.spec, env: input.env, signal, makeTempDir, emptied: new Map() }
  const result = await tryCandidate({
    scenario: input.scenario,
    steps: derived.steps.map(({ step, pieces }) => ({ step, pieces, title: step, key: keys.get(step) ?? '' })),
    replay: ({ recording }) =>
      planReplay(input.spec, { mode: 'only', recording, keysOf: () => keys }).scenarios[1] ?? input.scenario,
    startRun: (more) => new ScenarioRun({ ...input, ...more }),
    known: spec,
    places: [root],
    stamp: (folder) => stampOf(folder),
    emptiedRoot: (programs) => openEmptiedRoot(inRoot, programs),
    now: () => new Date(),
    signal,
  })
  if (result.ok) return [...result.written.bodies.values()].join('\n\n')
  const { code, step, line, message } = result.refusal
  return `${code} at ${step}:${line}: ${message}`
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** What is not told is what really comes of it. */
async function doneCall(
  { command = '', writes, output, isLook = false, exitCode }: Told,
  { step, directory }: { readonly step: string; readonly directory: string },
): Promise<AgentCall> {
  if (writes) {
    const [file, content] = writes
    writeAll(directory, { [file]: content })
    return { kind: 'edit', step, file: join(directory, file), content }
  }
  const base = { kind: 'command', step, command, cwd: directory, isLook } as const // a literal kind
  if (output !== undefined) return { ...base, output, exitCode: exitCode ?? 0 }
  const ran = await execa('bash', ['-c', command], { cwd: directory, reject: false, all: true, stdin: 'ignore' })
  return { ...base, output: `${ran.all}\n`, exitCode: ran.exitCode ?? 1 }
}
