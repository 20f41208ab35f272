import { summarizeOutcomes } from '../records/outcome.ts'
import { join, relative, resolve } from 'node:path'
import type { EndedSpec } from '../report/data/spec-record.ts'
import type { ReportWriter } from '../report/report-writer.ts'
import type { StepMeta } from '../plan/step-meta.ts'
import { checkReportDir, type ResolvedOptions } from '../plan/options/option-defaults.ts'
import { plainText } from '../system/text/plain-text.ts'
import type { GlobalConfig, ProjectConfig } from './mdtest-project.ts'
import { specOptions } from './project-options.ts'
import { settledSteps } from './set-up-run.ts'

/** Options of `JestReportReporter`. */
export interface ReportOptions {
  /** Folder of the report, relative to `rootDir`. @default the option `reportDir` of `mdtest()` */
  readonly dir?: string
}

interface TestFile {
  readonly path: string
  readonly context: { readonly config: ProjectConfig }
}

interface FileResult {
  readonly perfStats: { readonly start: number; readonly end: number; readonly runtime: number }
  readonly testExecError?: unknown
  readonly failureMessage?: string | null
  readonly testResults: readonly {
    readonly ancestorTitles: readonly string[]
    readonly title: string
    readonly fullName: string
    readonly status: string
    readonly duration?: number | null
    readonly failureMessages: readonly string[]
  }[]
}

type RunResult = Readonly<Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests', number>>

/**
 * Reporter for Jest that writes the results of all specs as one HTML report.
 *
 * @example
 * module.exports = { projects: [mdtest()], reporters: ['default', 'vitest-mdtest/jest/reporter'] }
 */
export class JestReportReporter {
  readonly #root: string
  readonly #ownDir: string | undefined
  #dir = ''
  #writer: Promise<ReportWriter> | undefined
  #specs = 0
  readonly #counts = { passed: 0, failed: 0, skipped: 0 }

  constructor({ rootDir }: GlobalConfig, options: ReportOptions = {}) {
    this.#root = rootDir
    this.#ownDir = checkReportDir(options)
  }

  async onTestResult(test: TestFile, result: FileResult): Promise<void> {
    const options = specOptions(test.path, test.context.config)
    if (options === undefined) return
    this.#writer ??= this.#open(options)
    const writer = await this.#writer
    this.#specs += 1
    for (const { status } of result.testResults) this.#counts[knownState(status)] += 1
    const settled = await settledSteps(test.path)
    writer.addSpec(() => endedSpecOf(test, result, { options, settled }))
  }

  async onRunComplete(_contexts: unknown, run: RunResult): Promise<void> {
    if (this.#writer === undefined) return
    const { passed, failed, skipped } = this.#counts
    const writer = await this.#writer
    const isWritten = await writer.end({
      specs: this.#specs,
      otherTests: {
        pass: run.numPassedTests - passed,
        fail: run.numFailedTests - failed,
        skipped: run.numPendingTests + run.numTodoTests - skipped,
      },
      errors: [],
    })
    const page = relative(this.#root, join(this.#dir, 'index.html'))
    if (isWritten) process.stderr.write(`report: ${plainText(page)}\n`)
  }

  async #open({ reportDir }: ResolvedOptions): Promise<ReportWriter> {
    this.#dir = resolve(this.#root, this.#ownDir ?? reportDir)
    const { ReportWriter } = await import('../report/report-writer.ts')
    const tell = (message: string, why: unknown): void => void process.stderr.write(`${message} ${String(why)}\n`)
    const writer = new ReportWriter({ dir: this.#dir, root: this.#root }, { env: process.env, tell })
    writer.begin(0)
    return writer
  }
}

function knownState(status: string): 'passed' | 'failed' | 'skipped' {
  return status === 'passed' || status === 'failed' ? status : 'skipped'
}

async function endedSpecOf(
  test: TestFile,
  result: FileResult,
  { options, settled }: { readonly options: ResolvedOptions; readonly settled: Readonly<Record<number, StepMeta>> },
): Promise<EndedSpec> {
  const [{ endedStepOf, readSource }, { plannedTests }] = await Promise.all([
    import('../report/data/ended-step.ts'),
    import('./planned-tests.ts'),
  ])
  const root = test.context.config.rootDir
  const source = readSource(test.path, { root, config: { options, commandLine: {} } })
  const names: (string | undefined)[] = source.parsed ? plannedTests(source.parsed).map(({ name }) => name) : []
  const steps = result.testResults.map(({ ancestorTitles, title, fullName, status, duration, failureMessages }) => {
    const place = names.indexOf(fullName)
    // Mark this place as used, because another test may have the same name.
    if (place !== -1) names[place] = undefined
    return endedStepOf(
      {
        titles: [...ancestorTitles, title],
        durationMs: Math.round(duration ?? 0),
        state: knownState(status),
        meta: settled[place],
        errors: failureMessages.map(plainText),
      },
      (log) => resolve(root, log),
    )
  })
  const { start, end, runtime } = result.perfStats
  const isBroken = Boolean(result.testExecError)
  return {
    file: test.path,
    root,
    startedAt: new Date(start).toISOString(),
    endedAt: new Date(end).toISOString(),
    durationMs: runtime,
    outcome: isBroken ? 'fail' : summarizeOutcomes(steps.map(({ outcome }) => outcome)),
    problems: isBroken ? [{ message: plainText(result.failureMessage ?? '') }] : [],
    steps,
    ...source,
  }
}
