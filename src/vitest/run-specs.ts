import type { Readable, Writable } from 'node:stream'
import { relative, sep } from 'node:path'
import type { Plugin } from 'vitest/config'
import { BaseSequencer, createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node'
import { resolveOptions } from '../options/resolve-options.ts'
import type { CommandLine } from '../options/spec-settings.ts'
import type { Outcome } from '../verdict/verdict.ts'
import { summarizeOutcomes } from '../verdict/summarize-outcomes.ts'
import { createInheritance, type Inheritance } from './inherited.ts'
import { flattenPlugins, specsConfigOf } from './plugin-list.ts'
import { specsProject } from './project.ts'
import type {} from './provided.ts'
import type { SpecsConfig } from './specs-config.ts'
import { testOf } from './test-of.ts'

/** One spec that is to be run. */
export interface SpecSelection {
  /** Absolute path. */
  readonly file: string
  /** Lines of headings; absent for all of the file. */
  readonly lines?: readonly number[]
}

/** A run of specs by the command. */
export interface RunSpecsInput {
  /** Absolute path of the suite root. */
  readonly root: string
  readonly specs: readonly SpecSelection[]
  readonly commandLine: CommandLine
  readonly testNamePattern?: string
  /** How many specs run at once, from 1. */
  readonly concurrency: number
  /** Names or modules of Vitest reporters; Vitest's own choice where empty. */
  readonly reporters: readonly string[]
  readonly streams: { readonly stdin: Readable; readonly stdout: Writable; readonly stderr: Writable }
  /** Called with the settings in force before anything runs; what it throws ends the run. */
  onConfigured(config: SpecsConfig): Promise<void>
  readonly signal: AbortSignal
}

/** What became of one spec file. */
export interface SpecResult {
  readonly file: string
  readonly outcome: Outcome
  /** Vitest knows of no such test file: it was not found, or its worker could not be started. */
  readonly isMissing?: true
}

/** What became of the run. */
export interface RunSpecsResult {
  readonly specs: readonly SpecResult[]
  /** Errors outside any test. */
  readonly unhandledErrors: number
}

/** Runs specs, begun in the given order, in a Vitest of its own. */
export async function runSpecs(input: RunSpecsInput): Promise<RunSpecsResult> {
  let config: SpecsConfig | undefined
  const inheritance = createInheritance()
  const begun = new AbortController()
  const plugin = commandPlugin(input, inheritance, {
    onConfig: (found) => {
      config = found
    },
    onSpec: () => begun.abort(),
  })
  const ownSignals = rememberSignals()
  const vitest = await createVitest(
    'test',
    {
      root: input.root,
      watch: false,
      run: true,
      bail: 0,
      passWithNoTests: true,
      coverage: { enabled: false },
      fileParallelism: input.concurrency > 1,
      maxWorkers: input.concurrency,
      // For the lines that select steps.
      includeTaskLocation: true,
      ...(input.testNamePattern !== undefined && { testNamePattern: input.testNamePattern }),
      ...(input.reporters.length > 0 && { reporters: [...input.reporters] }),
    },
    { plugins: [inheritance.plugin, plugin] },
    // Vitest types its streams as those of a terminal and checks `isTTY` itself.
    input.streams as NonNullable<Parameters<typeof createVitest>[3]>, // see the line before
  )
  ownSignals.restore()
  try {
    if (config) await input.onConfigured(config)
    // Before the first spec is under way Vitest would forget a cancellation; twice is for those who will not wait.
    const cancel = (): void => void vitest.cancelCurrentRun('keyboard-input')
    whenBothAborted(input.signal, begun.signal, cancel)
    if (!input.signal.aborted) await startTests(vitest, input.specs.flatMap(filtersOf))
    const results = vitest.state.getTestModules().map(resultOf)
    return {
      specs: [...results, ...missingOf(input.specs, results)],
      unhandledErrors: vitest.state.getUnhandledErrors().length,
    }
  } finally {
    await vitest.close()
  }
}

/**
 * Vitest and Vite end the process a millisecond after a signal. Here the signal cancels the run instead, so that
 * agents end in their own time, tear-down runs and temporary folders are removed.
 */
function rememberSignals(): { restore(): void } {
  const signals = ['SIGINT', 'SIGTERM'] as const // literals, for the names of events
  const before = signals.map((signal) => new Set(process.listeners(signal)))
  return {
    restore() {
      for (const [index, signal] of signals.entries()) {
        for (const listener of process.listeners(signal)) {
          if (!before[index]?.has(listener)) process.off(signal, listener)
        }
      }
    },
  }
}

function whenBothAborted(one: AbortSignal, other: AbortSignal, listener: () => void): void {
  const check = (): void => {
    if (one.aborted && other.aborted) listener()
  }
  one.addEventListener('abort', check, { once: true })
  other.addEventListener('abort', check, { once: true })
}

interface CommandHooks {
  onConfig(config: SpecsConfig): void
  /** A spec begins. */
  onSpec(): void
}

/** Replaces whatever projects the configuration has by the specs' own, with the options of its `mdtest()`. */
function commandPlugin(input: RunSpecsInput, inheritance: Inheritance, { onConfig, onSpec }: CommandHooks): Plugin {
  return {
    name: 'mdtest:run',
    config: {
      order: 'post',
      async handler(user) {
        const plugins = await flattenPlugins(user.plugins)
        if (plugins.some(({ name }) => name === 'vitest:project')) return
        const config = {
          options: specsConfigOf(plugins)?.config.options ?? resolveOptions({}),
          commandLine: input.commandLine,
          signal: input.signal,
        }
        onConfig(config)
        const inherited = inheritance.from(user, plugins)
        const project = specsProject(
          config,
          { ...inherited, plugins: [...(inherited.plugins ?? []), observer(onSpec)] },
          {
            include: input.specs.map(({ file }) => escapeGlob(relative(input.root, file).split(sep).join('/'))),
          },
        )
        // Mutated, because Vite would append to the user's projects.
        Object.assign(user, {
          test: {
            ...testOf(user),
            projects: [project],
            globalSetup: [],
            dir: undefined,
            exclude: [],
            sequence: { sequencer: sequencerFor(input.specs) },
          },
        })
      },
    },
  }
}

/** Stands in the specs' project: in the root one Vitest does not call the hook. */
function observer(onSpec: () => void): Plugin {
  return {
    name: 'mdtest:observer',
    configureVitest({ vitest }) {
      // Before Vitest creates its reporters.
      vitest.config.reporters.push({ onTestModuleQueued: onSpec })
    },
  }
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}()!@+|\\]/g, '\\$&')
}

/** Vitest would run the slowest first, by its cache of former results. */
function sequencerFor(specs: readonly SpecSelection[]): typeof BaseSequencer {
  const order = new Map(specs.map(({ file }, index) => [file, index]))
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return files.toSorted((one, other) => (order.get(one.moduleId) ?? 0) - (order.get(other.moduleId) ?? 0))
    }
  }
}

function filtersOf({ file, lines }: SpecSelection): string[] {
  return lines ? lines.map((line) => `${file}:${line}`) : [file]
}

/** That nothing was found is no crash: each spec is missing in the results. */
async function startTests(vitest: Vitest, filters: string[]): Promise<void> {
  try {
    await vitest.start(filters)
  } catch (error: unknown) {
    const isNotFound = error instanceof Error && 'code' in error && error.code === 'VITEST_FILES_NOT_FOUND'
    if (!isNotFound) throw error
  }
}

/** What was asked for and has no result would be a pass that checked nothing. */
function missingOf(specs: readonly SpecSelection[], results: readonly SpecResult[]): readonly SpecResult[] {
  const known = new Set(results.map(({ file }) => file))
  return specs
    .filter(({ file }) => !known.has(file.split(sep).join('/')))
    .map(({ file }) => ({ file, outcome: 'fail', isMissing: true }))
}

function resultOf(module: TestModule): SpecResult {
  const tests = [...module.children.allTests()].map((test): Outcome => {
    const { state } = test.result()
    if (state === 'passed') return 'pass'
    // Its worker is gone.
    if (state === 'pending') return 'fail'
    if (state !== 'failed') return 'skipped'
    return test.meta().mdtest?.outcome === 'blocked' ? 'blocked' : 'fail'
  })
  const hasErrors =
    module.errors().length > 0 || [...module.children.allSuites()].some((suite) => suite.errors().length > 0)
  return { file: module.moduleId, outcome: hasErrors ? 'fail' : summarizeOutcomes(tests) }
}
