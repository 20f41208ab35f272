import { existsSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResultPromise } from 'execa'
import { expect } from 'vitest'
import { createProject, type Program, type Project } from './create-project.ts'
import type { Lane } from './lane.ts'
import { happensWithin, leftAfter, processesOf, temporaryFoldersIn, type ProjectProcess } from './leftovers.ts'

/** Which of the specs of a busy project; each never ends by itself. */
export type BusySpec = 'agent' | 'blocks'

/** A program that runs. In a field, because it is a promise, too. */
export interface Running {
  readonly process: ResultPromise
}

/** A project whose specs start processes of every stubborn kind and then wait for ever. */
export interface BusyProject extends AsyncDisposable {
  readonly project: Project
  /** Absolute path of a temporary folder that only this project uses. */
  readonly tempDir: string
  /**
   * Starts a program on the project and waits until all processes of these specs are there.
   * @throws Error with the output if they do not come.
   */
  start(program: Program, args: readonly string[], specs: readonly BusySpec[]): Promise<Running>
  /** Live processes of the project, the launcher among them. */
  processes(): readonly ProjectProcess[]
  temporaryFolders(): readonly string[]
}

/** Longer than any of it takes on the slowest machine, and shorter than what it starts sleeps. */
const farMs = 250_000

const startsSession = fileURLToPath(new URL('../../fixtures/bin/starts-session.mjs', import.meta.url))

/** Says that it is there, then waits; a caught signal is one that `exec` cannot inherit, an ignored one is. */
function waitAs(name: string): string {
  return `touch ready/${name}; exec sleep 600`
}

const agent = `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const start = (file, ...args) => spawn(file, args, { stdio: 'ignore' })
process.on('SIGTERM', () => writeFileSync('ready/agent-told', ''))
start('sh', '-c', ${JSON.stringify(waitAs('agent-child'))})
start('sh', '-c', ${JSON.stringify(`trap '' TERM INT HUP; ${waitAs('agent-stubborn')}`)})
start(process.execPath, ${JSON.stringify(startsSession)}, ${JSON.stringify(waitAs('agent-session'))})
setInterval(() => {}, 1000)
`

const blocks = `---
agent: none
---

# Busy

## In the background

\`\`\`sh
sh -c "${waitAs('block-background')}" &
"${process.execPath}" "${startsSession}" "${waitAs('block-session')}"
\`\`\`

## In front

\`\`\`sh
sh -c "trap '' TERM INT HUP; ${waitAs('block-stubborn')}" &
sh -c "${waitAs('block-front')}"
\`\`\`
`

const names: Readonly<Record<BusySpec, readonly string[]>> = {
  agent: ['agent-child', 'agent-stubborn', 'agent-session'],
  blocks: ['block-background', 'block-session', 'block-stubborn', 'block-front'],
}

/** Makes such a project with a temporary folder of its own; `await using` ends what is left and removes it. */
export async function createBusyProject(
  options = '',
  files: Readonly<Record<string, string>> = {},
  lane?: Lane,
): Promise<BusyProject> {
  const command = `{ command: [${JSON.stringify(process.execPath)}, 'agent.mjs'] }`
  const project = await createProject(
    {
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: ${command}, ${options} })] }\n`,
      'jest.config.js': `import { mdtest } from 'vitest-mdtest/jest'\nexport default mdtest({ agent: ${command}, ${options} })\n`,
      'agent.mjs': agent,
      'agent.test.md': '# Busy\n\nTake your time.\n',
      'blocks.test.md': blocks,
      ...files,
    },
    lane,
  )
  // Not searched for specs, and not in the way of the project's own files.
  const tempDir = project.path('node_modules/.tmp')
  await mkdir(tempDir)
  await mkdir(project.path('ready'))
  const processes = (): readonly ProjectProcess[] => processesOf(project.dir)
  return {
    project,
    tempDir,
    processes,
    temporaryFolders: () => temporaryFoldersIn(tempDir),
    async start(program, args, specs) {
      const running = project.start(program, args, { env: { TMPDIR: tempDir }, timeoutMs: farMs })
      const files = specs.flatMap((spec) => names[spec]).map((name) => project.path(`ready/${name}`))
      // What starts a session is a program that ends.
      const isReady = (): boolean =>
        files.every((file) => existsSync(file)) && !processes().some(({ line }) => line.includes('starts-session.mjs'))
      if (await happensWithin(farMs, isReady)) return { process: running }
      running.kill('SIGKILL')
      throw new Error(`The processes did not start: ${(await running).all}`)
    },
    async [Symbol.asyncDispose]() {
      for (const { pid } of processes()) send(pid, 'SIGKILL')
      await project[Symbol.asyncDispose]()
    },
  }
}

/** How a busy run is ended from outside. */
export interface Kill {
  readonly title: string
  readonly program: Program
  readonly args: readonly string[]
  readonly specs: readonly BusySpec[]
  readonly signal: NodeJS.Signals
  /** Who gets the signal, by its command line; absent for the program itself. */
  readonly victim?: string
  /** Absent where the program is ended by the signal. */
  readonly exitCode?: number
}

/** Ends a run in which all is under way, and expects neither a process nor a temporary folder of it. */
export async function expectNothingLeft(kill: Kill, lane?: Lane): Promise<void> {
  const { program, args, specs, signal, victim, exitCode } = kill
  await using busy = await createBusyProject('', {}, lane)
  const { process: running } = await busy.start(program, args, specs)
  const folders = busy.temporaryFolders()
  if (specs.includes('blocks')) expect(folders).toHaveLength(1)
  for (const folder of folders) expect(statSync(join(busy.tempDir, folder)).mode & 0o777).toBe(0o700)
  const found = busy.processes()
  expect(found.map(({ line }) => line)).toContainEqual(expect.stringContaining('launcher-main.js'))
  // `kill` of execa adds a SIGKILL.
  const victims = victim === undefined ? [running] : found.filter(({ line }) => line.includes(victim))
  expect(victims).not.toEqual([])
  for (const { pid } of victims) send(pid, signal)
  const ended = await running
  expect(ended.exitCode, String(ended.all)).toBe(exitCode)
  expect(await leftAfter(busy.project.dir)).toEqual([])
  expect(busy.temporaryFolders()).toEqual([])
}

/** Sends a signal to a process that may have ended. */
export function send(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch {
    // It ended meanwhile.
  }
}
