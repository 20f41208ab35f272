import { join, relative, resolve } from 'node:path'
import type { Reporter, SerializedError, TestModule, TestProject, TestSpecification, Vitest } from 'vitest/node'
import type { ReportWriter } from '../../report/report-writer.ts'
import type { RunRecord } from '../../report/data/run-record.ts'
import { checkReportDir } from '../../plan/options/option-defaults.ts'
import { createIsSpec, fileOf as pathOf } from '../../plan/spec-files.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { specsConfigOf } from '../plugin/plugin-list.ts'
import { endedSpecOf } from './ended-spec-of.ts'
import { printLine } from './lines/print-line.ts'

/** Options of the report reporter. */
export interface ReportOptions {
  /** Folder of the report, relative to the root. @default the option `reportDir` of `mdtest()` */
  readonly dir?: string
}

export const reportReporters = new WeakMap<Vitest, ReportReporter>()

/**
 * Reporter that writes the results of all specs as one HTML report.
 *
 * @example
 * export default defineConfig({ test: { reporters: ['default', 'vitest-mdtest/reporter'] } })
 */
export class ReportReporter implements Reporter {
  readonly #dir: string | undefined
  #vitest: Vitest | undefined
  #writer: Promise<ReportWriter> | undefined
  readonly #specs = new Set<string>()
  /** The folder of the last report, or `undefined` if none was written. */
  written: Promise<string | undefined> = Promise.resolve(undefined)

  /** @throws {MdtestError} if an option is unknown or invalid */
  constructor(options: ReportOptions = {}) {
    this.#dir = checkReportDir(options)
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    reportReporters.set(vitest, this)
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const specs = specifications.filter(({ project, moduleId }) => isSpecOf(project, moduleId)).length
    // Keep the last report if this run has no specs.
    if (specs === 0 && this.#writer === undefined) return
    const writer = await this.#open()
    // The number of specs is unknown with shards, because Vitest assigns files later.
    writer?.begin(this.#vitest?.config.shard ? 0 : specs)
  }

  async onTestModuleEnd(module: TestModule): Promise<void> {
    if (isSpecOf(module.project, module.moduleId)) await this.#addSpec(module)
  }

  async onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): Promise<void> {
    this.written = this.#end(modules, unhandledErrors)
    await this.written
  }

  async #end(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): Promise<string | undefined> {
    const specs = modules.filter(({ project, moduleId }) => isSpecOf(project, moduleId))
    // Add specs that are missing: Vitest does not call `onTestModuleEnd` for merged results.
    for (const module of specs) if (!this.#specs.has(module.id)) await this.#addSpec(module)
    this.#specs.clear()
    if (specs.length === 0 && this.#writer === undefined) return undefined
    const [writer, vitest] = [await this.#open(), this.#vitest]
    if (writer === undefined || vitest === undefined) return undefined
    const others = modules.filter((module) => !specs.includes(module))
    const config = specs[0] && configOf(specs[0].project)
    const { root } = vitest.config
    const isWritten = await writer.end({
      specs: specs.length,
      otherTests: countTests(others),
      errors: unhandledErrors.map(({ stack, message }) => String(stack ?? message)),
      isMerged: Boolean(vitest.config.mergeReports),
      ...(config && {
        readCoverage: async () => {
          const { readCoverageOf } = await import('../../coverage/read-coverage.ts')
          return await readCoverageOf({ root, options: config.options }, process.env)
        },
      }),
    })
    if (!isWritten) return undefined
    const dir = dirOf(vitest, this.#dir)
    printLine(vitest, `report: ${join(relative(root, dir), 'index.html')}`)
    return dir
  }

  async #addSpec(module: TestModule): Promise<void> {
    this.#specs.add(module.id)
    const [writer, config] = [await this.#open(), configOf(module.project)]
    const root = this.#vitest?.config.root
    if (config && root !== undefined) writer?.addSpec(() => endedSpecOf(module, { root, config, now: new Date() }))
  }

  async #open(): Promise<ReportWriter | undefined> {
    const vitest = this.#vitest
    if (vitest === undefined) return undefined
    this.#writer ??= import('../../report/report-writer.ts').then(
      ({ ReportWriter }) =>
        new ReportWriter(
          { dir: dirOf(vitest, this.#dir), root: vitest.config.root },
          { env: process.env, tell: (message, why) => vitest.logger.error(message, why) },
        ),
    )
    return await this.#writer
  }
}

function dirOf({ config: { root }, projects }: Vitest, ownDir: string | undefined): string {
  const [config] = projects.flatMap((project) => configOf(project) ?? [])
  return resolve(root, config?.report?.dir ?? ownDir ?? config?.options.reportDir ?? 'mdtest-report')
}

function configOf(project: TestProject): SpecsConfig | undefined {
  return specsConfigOf(project.vite.config.plugins)?.config
}

function isSpecOf(project: TestProject, moduleId: string): boolean {
  const config = configOf(project)
  if (config === undefined) return false
  const { options, files } = config
  return createIsSpec({ root: project.vitest.config.root, include: options.include, files })(pathOf(moduleId))
}

function countTests(modules: readonly TestModule[]): RunRecord['otherTests'] {
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
  const count = (...wanted: readonly string[]): number => states.filter((state) => wanted.includes(state)).length
  return { pass: count('passed'), fail: count('failed', 'pending'), skipped: count('skipped') }
}
