import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { createVitest, type Vitest } from 'vitest/node'
import type { KeptRecording } from '../../host/rewrite/write-recordings.ts'
import type { AgentTerminal } from '../../host/agent-run/agent-task.ts'
import { commandPlugins } from './command-plugins.ts'
import { specResults, type SpecResult } from '../reporters/spec-results.ts'
import { tagsOfRun, type RunTags } from './spec-tags.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { errorCode } from '../../system/error-facts.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'

export interface SpecSelection {
  readonly file: string
  readonly lines?: readonly number[]
}

export interface RunSpecsInput extends Pick<SpecsConfig, 'commandLine' | 'report' | 'record'> {
  readonly root: string
  readonly testNamePattern?: string
  /** Tag expressions of Vitest. A test runs only if it matches all of them. */
  readonly tagsFilter: readonly string[]
  readonly isUpdate: boolean
  readonly reporters: readonly string[]
  readonly outputFile?: string
  readonly streams: { readonly stdin: Readable; readonly stdout: Writable; readonly stderr: Writable }
  onConfigured(config: SpecsConfig): Promise<RunPlan>
  readonly signal: AbortSignal
  /** Run only specs that may depend on a change since this commit, or since the last commit (`true`). */
  readonly changed?: string | true
}

export interface RunPlan {
  readonly specs: readonly SpecSelection[]
  readonly concurrency: number
  readonly terminal?: RunTerminal | undefined
}

export type RunTerminal = Omit<AgentTerminal, 'specs'>

export interface RunSpecsResult {
  readonly specs: readonly SpecResult[]
  readonly unhandledErrors: number
  readonly tags: RunTags
  readonly recordings: readonly KeptRecording[]
}

export async function runSpecs(input: RunSpecsInput): Promise<RunSpecsResult> {
  const { root, commandLine, signal, reporters, report, record, changed, testNamePattern, outputFile } = input
  let specs: readonly SpecSelection[] = []
  const recordings: KeptRecording[] = []
  const plugins = commandPlugins({
    root,
    commandLine,
    signal,
    ...withoutUndefined({ report, record }),
    onKept: (kept) => recordings.push(kept),
    async onConfig(config) {
      const { concurrency, terminal, ...plan } = await input.onConfigured(config)
      specs = plan.specs
      const files = specs.map(({ file }) => file)
      return { files, concurrency, ...(terminal && { terminal: { ...terminal, specs: files } }) }
    },
  })
  const restoreSignals = rememberSignals()
  const vitest = await createVitest(
    'test',
    {
      root,
      watch: false,
      run: true,
      bail: 0,
      passWithNoTests: true,
      // Specs have a fixed order, so durations need no cache. Vitest's module cache works only with `node_modules`.
      cache: false,
      ...(!existsSync(join(root, 'node_modules')) && { fsModuleCache: false }),
      ...(input.isUpdate && { update: true }),
      coverage: { enabled: false },
      // `linesReporter` needs locations to select steps by line.
      includeTaskLocation: true,
      ...withoutUndefined({ changed, testNamePattern, outputFile }),
      ...(input.tagsFilter.length > 0 && { tagsFilter: [...input.tagsFilter] }),
      ...(reporters.length > 0 && { reporters: [...reporters] }),
    },
    { plugins },
    input.streams as NonNullable<Parameters<typeof createVitest>[3]>, // Vitest's type wants a terminal as `stdin`
  )
  restoreSignals()
  try {
    if (changed !== undefined && !signal.aborted) {
      const kept = await vitest.getRelevantTestSpecifications(specs.map(({ file }) => file))
      specs = specs.filter(({ file }) => kept.some(({ moduleId }) => moduleId === file))
    }
    const filters = specs.flatMap(({ file, lines }) => lines?.map((line) => `${file}:${line}`) ?? [file])
    if (!signal.aborted && filters.length > 0) await startTests(vitest, filters)
    return {
      specs: specResults(
        vitest.state.getTestModules(),
        specs.map(({ file }) => file),
      ),
      unhandledErrors: vitest.state.getUnhandledErrors().length,
      tags: tagsOfRun(vitest),
      recordings,
    }
  } finally {
    await vitest.close()
  }
}

/** Returns a function that removes newer signal handlers. Those of Vitest and Vite end the process too early. */
function rememberSignals(): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const before = signals.map((signal) => new Set(process.listeners(signal)))
  return () => {
    for (const [index, signal] of signals.entries()) {
      for (const listener of process.listeners(signal)) {
        if (!before[index]?.has(listener)) process.off(signal, listener)
      }
    }
  }
}

/** Ignores "no test files found", because missing specs are reported with the results. */
async function startTests(vitest: Vitest, filters: string[]): Promise<void> {
  try {
    await vitest.start(filters)
  } catch (error: unknown) {
    if (errorCode(error) !== 'VITEST_FILES_NOT_FOUND') throw error
  }
}
