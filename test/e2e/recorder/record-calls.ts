import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { execa } from 'execa'
import { planReplay } from '../../../src/plan/recordings/replay.ts'
import type { AgentCall } from '../../../src/records/agent-call.ts'
import { derivePieces } from '../../../src/recordings/derive/derive-pieces.ts'
import { noBrowser } from '../../recordings/derive/no-browser.ts'
import { tryCandidate } from '../../../src/recordings/gates/try-candidate.ts'
import { AgentShell } from '../../../src/scenario/workspace/agent-shell.ts'
import { ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { openShell } from '../../../src/system/shell/open-shell.ts'
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
  /** Blocks ran before it: a lasting shell is another one. */
  readonly isRenewed?: true
}

interface Recorded {
  readonly spec: string
  readonly steps: readonly (readonly Told[])[]
  readonly files: Readonly<Record<string, string>>
  /** What set-up blocks do where the agent works. */
  readonly before?: string
  /** Whether the agent's commands are executed in one shell that lasts, with a folder for files of its own: `OWN`. */
  readonly isLasting?: boolean
}

/** A command that is quoted: all that it prints, if nothing else is said. */
export function cited(command: string, quote = 'added milk', more: Partial<Told> = {}): Told {
  return { command, quote, ...more }
}

/** Gives what records a step that adds "milk" to the notes. `program` is the start of each command of the product. */
export function recorderOfNotes(
  openScenario: ReturnType<typeof useScenario>,
  program: string,
  files: Recorded['files'],
): (...told: readonly Told[]) => Promise<string> {
  const spec = `---
cwd: copy
---

# Notes

## Setup

\`\`\`sh run
${program} add bread
\`\`\`

## Add

Add a note "milk": it prints "added milk".
`
  return (...told) => recordCalls(openScenario, { spec, files, steps: [told], before: `${program} add bread` })
}

/** What becomes of a scenario whose agent did this: the blocks of its recording, or why there is none. */
export async function recordCalls(
  openScenario: ReturnType<typeof useScenario>,
  { spec, steps, files, before = 'true', isLasting = false }: Recorded,
): Promise<string> {
  const { input, root, launcher } = openScenario(spec)
  writeAll(root, files)
  const keys = keysOf(input.spec, input.scenario, () => spec)
  const ids = [...keys.keys()]
  const directory = mkdtempSync(join(root, '..', 'agent-'))
  writeAll(directory, { ...files, 'a.test.md': spec })
  await execa('bash', ['-c', before], { cwd: directory })
  const calls: AgentCall[] = []
  const scratchDir = mkdtempSync(join(root, '..', 'scratch-'))
  const lasting = isLasting ? openLasting({ launcher, directory, scratchDir }) : undefined
  for (const [index, told] of steps.entries()) {
    const step = ids[index] ?? ''
    for (const one of told) {
      calls.push(await (lasting ? lasting.call(one, step) : doneCall(one, { step, directory })))
    }
  }
  await lasting?.end()
  const reported = steps.map((told, index) => ({
    step: ids[index] ?? '',
    quotes: told.flatMap(({ quote }) => quote ?? []),
  }))
  const around = { directory, roots: [directory, root], known: spec, ...(lasting && { scratchDir }) }
  const derived = derivePieces({ steps: reported, calls, browser: noBrowser, ...around })
  const [obstacle] = derived.obstacles
  if (obstacle) return `${obstacle.code}: ${obstacle.why}`
  const { signal } = new AbortController()
  const makeTempDir = async (): Promise<string> => mkdtempSync(join(root, '..', 'emptied-'))
  const inRoot = { root, spec: input.spec, env: input.env, signal, makeTempDir }
  const result = await tryCandidate({
    scenario: input.scenario,
    steps: derived.steps.map(({ step, pieces }) => ({ step, pieces, title: step, key: keys.get(step) ?? '' })),
    replay: ({ recording }) =>
      planReplay(input.spec, { mode: 'only', recording, keysOf: () => keys }).scenarios[1] ?? input.scenario,
    startRun: (more) => new ScenarioRun({ ...input, ...more }),
    known: spec,
    now: () => new Date(),
    ...inRoot,
  })
  if (!('code' in result)) return [...result.bodies.values()].join('\n\n')
  const { code, step, line, message } = result
  return `${code} at ${step}:${line}: ${message}`
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

interface Lasting {
  call(told: Told, step: string): Promise<AgentCall>
  end(): Promise<void>
}

/** The shell in which mdtest executes commands for an agent. */
function openLasting({
  launcher,
  directory,
  scratchDir,
}: {
  readonly launcher: ReturnType<ReturnType<typeof useScenario>>['launcher']
  readonly directory: string
  readonly scratchDir: string
}): Lasting {
  const tempDir = mkdtempSync(join(directory, '..', 'shell-'))
  const shell = openShell({ launcher, cwd: directory, tempDir, env: { PATH: process.env.PATH ?? '' } })
  const executor = new AgentShell({ fork: () => shell.fork(), directory: async () => directory })
  let cwd = directory
  return {
    async call({ command = '', writes, isLook = false, isRenewed = false }, step) {
      if (writes) {
        const [name, content] = writes
        const file = join(directory, name.replace('OWN', relative(directory, scratchDir)))
        writeAll(dirname(file), { [basename(file)]: content })
        return { kind: 'edit', step, file, content }
      }
      if (isRenewed) executor.renew()
      const code = command.replaceAll('OWN/', `${scratchDir}/`)
      const result = await executor.runForAgent({ code, timeoutMs: 10_000, scratchDir })
      const { exitCode = 1, output } = result
      const done = { step, command: code, cwd, exitCode, output, isLook }
      cwd = result.directory
      const [, service] = /^(.*\S)\s*&$/.exec(code) ?? []
      if (service !== undefined) return { kind: 'service', step, command: service, cwd }
      return { kind: 'command', ...done }
    },
    async end() {
      await executor.endForAgent()
      await shell.close()
    },
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
