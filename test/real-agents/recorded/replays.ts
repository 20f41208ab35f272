import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Project } from '../../support/create-project.ts'
import { swapped } from './all-scenarios.ts'
import type { RecordedScenario } from './scenario.ts'

/** What came of a spec. */
export interface SpecResult {
  readonly status: string
  /** Of all its failures. */
  readonly messages: string
}

export interface ReplayRequest {
  /** Absolute path of the project. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  /** Arguments of `vitest run`. */
  readonly args?: readonly string[]
  /** Program and arguments that start it. */
  readonly starter?: readonly string[]
}

/** Replays all recordings of a project, and starts no agent; results by the name of the spec. */
export async function replayAll({
  dir,
  env,
  args = [],
  starter = [],
}: ReplayRequest): Promise<ReadonlyMap<string, SpecResult>> {
  const report = join(dir, '.replay.json')
  await rm(report, { force: true })
  const vitest = join(dir, 'node_modules/vitest/vitest.mjs')
  const [program = '', ...rest] = [...starter, process.execPath, vitest, 'run', ...args]
  const flags = ['--reporter=json', `--outputFile.json=${report}`]
  const ran = await execa(program, [...rest, ...flags], { cwd: dir, env, extendEnv: false, reject: false, all: true })
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error(`Nothing was replayed: ${ran.all}`)
  })
  return readReport(text)
}

/** Results by the name of the spec, from a report of Vitest's reporter `json`. */
function readReport(text: string): ReadonlyMap<string, SpecResult> {
  const { testResults } = JSON.parse(text) as JsonReport // Vitest wrote it
  return new Map(
    testResults.map(({ name, status, message, assertionResults }) => {
      const messages = [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)].join('\n')
      return [/([^/]+)\.test\.md$/.exec(name)?.[1] ?? name, { status, messages }]
    }),
  )
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[]
  }[]
}

/** Changes the products of scenarios in one way; all else is as it was. */
export async function changeProducts(
  project: Project,
  scenarios: readonly RecordedScenario[],
  kind: 'bug' | 'harmless',
): Promise<void> {
  for (const scenario of scenarios) {
    const { files, [kind]: swap } = scenario
    for (const [file, text] of Object.entries(files)) await project.write(file, text)
    if (swap) await project.write(swap.file, swapped(scenario, swap))
  }
}
