import { randomUUID } from 'node:crypto'
import { join, relative, resolve } from 'node:path'
import type { Reporter, SerializedError, TestModule, TestProject, TestSpecification, Vitest } from 'vitest/node'
import type { ReportFolder } from '../../report/folder/report-folder.ts'
import type { RunRecord } from '../../report/records/run-record.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { createIsSpec, fileOf as pathOf } from '../../plan/is-spec.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { specsConfigOf } from '../plugin/plugin-list.ts'
import { endedSpecOf } from './ended-spec-of.ts'
import { reportReporterName, printLine } from './lines/print-line.ts'

/** Options of the reporter. */
export interface ReportOptions {
  /**
   * Folder of the report, relative to the root.
   * @default the option `reportDir` of `mdtest()`
   */
  readonly dir?: string
}

/** How often the start page is written while a run is under way, in milliseconds. */
const summaryIntervalMs = 1000

/**
 * Reporter that writes what became of the specs as one HTML report.
 *
 * @example
 * export default defineConfig({ test: { reporters: ['default', 'vitest-mdtest/reporter'] } })
 */
export class ReportReporter implements Reporter {
  readonly #options: ReportOptions
  #vitest: Vitest | undefined
  #report: Promise<OpenReport> | undefined
  /** Writing, one after the other. */
  #queue: Promise<void> = Promise.resolve()
  #isBroken = false
  #timer: NodeJS.Timeout | undefined
  #run: RunRecord | undefined
  /** Of the run that is under way, by the clock of `performance`. */
  #startedAtMs = 0
  #wallTimeMs = 0
  readonly #written = new Set<string>()

  /** @throws {MdtestError} for an option that is none. */
  constructor(options: ReportOptions = {}) {
    const { dir }: { readonly dir?: unknown } = options
    if (dir !== undefined && (typeof dir !== 'string' || dir === '')) {
      const got = `${JSON.stringify(dir)} (${typeof dir})`
      throw new MdtestError('OPTION_INVALID', `The option \`dir\` of the reporter is a path, got ${got}.`)
    }
    this.#options = options
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const specs = specifications.filter(({ project, moduleId }) => isSpecOf(project, moduleId)).length
    // A run of other tests leaves the last report as it is.
    if (specs === 0 && this.#run === undefined) return
    this.#startedAtMs = performance.now()
    const startedAt = new Date().toISOString()
    this.#write(async ({ folder, root }, vitest) => {
      // In watch mode all runs are one. Files are dealt out to shards only after this.
      this.#run ??= await newRun({ startedAt, specs: vitest.config.shard ? 0 : specs, root })
      await folder.putRun(this.#run)
      await folder.writeSummary()
    })
  }

  onTestModuleEnd(module: TestModule): void {
    if (isSpecOf(module.project, module.moduleId)) this.#writeSpec(module)
  }

  async onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): Promise<void> {
    const specs = modules.filter(({ project, moduleId }) => isSpecOf(project, moduleId))
    // Of merged results no module ends.
    for (const module of specs) if (!this.#written.has(module.id)) this.#writeSpec(module)
    if (specs.length === 0 && this.#report === undefined) return
    const others = modules.filter((module) => !specs.includes(module))
    const endedAt = new Date().toISOString()
    this.#wallTimeMs += performance.now() - this.#startedAtMs
    const wallTimeMs = Math.round(this.#wallTimeMs)
    this.#write(async ({ folder, dir, root }, vitest) => {
      const run = (this.#run ??= await newRun({ startedAt: endedAt, specs: specs.length, root }))
      this.#run = {
        ...run,
        ...(vitest.config.shard && { specs: specs.length }),
        endedAt,
        // Merging takes another time than what is merged took.
        ...(!vitest.config.mergeReports && { wallTimeMs }),
        otherTests: countTests(others),
        errors: unhandledErrors.map(({ stack, message }) => String(stack ?? message)),
      }
      await folder.putRun(this.#run)
      await folder.writeSummary()
      if (specs[0] !== undefined) await writeCoverage(folder, { root, project: specs[0].project })
      printLine(vitest, `report: ${join(relative(root, dir), 'index.html')}`)
    })
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#queue
    this.#written.clear()
  }

  #writeSpec(module: TestModule): void {
    this.#written.add(module.id)
    this.#write(async ({ folder, root }) => {
      const { recordSpec } = await import('../../report/records/record-spec.ts')
      const config = configOf(module.project)
      if (config)
        await folder.putSpec(
          await recordSpec(await endedSpecOf(module, { root, config, now: new Date() }), folder.kept),
        )
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#write((open) => open.folder.writeSummary())
      }, summaryIntervalMs).unref()
    })
  }

  /** A run does not fail because its report cannot be written. */
  #write(action: (report: OpenReport, vitest: Vitest) => Promise<void>): void {
    const vitest = this.#vitest
    if (!vitest) return
    const previous = this.#queue
    this.#queue = (async () => {
      await previous
      if (this.#isBroken) return
      const place = placeOf(vitest, this.#options)
      try {
        await action(await (this.#report ??= openAt(place)), vitest)
      } catch (error: unknown) {
        this.#isBroken = true
        const why = error instanceof MdtestError ? error.message : error
        vitest.logger.error(`mdtest: The report in ${place.dir} cannot be written.`, why)
      }
    })()
  }
}

/** What became of the scenarios is on disk by now. */
async function writeCoverage(
  folder: ReportFolder,
  { root, project }: { readonly root: string; readonly project: TestProject },
): Promise<void> {
  const config = configOf(project)
  if (config === undefined) return
  const { readCoverageOf } = await import('../../coverage/read-coverage.ts')
  await folder.writeCoverage(await readCoverageOf({ root, options: config.options }, process.env))
}

/** Whether the configuration names the reporter itself. */
export function isReportListed({ config }: Pick<Vitest, 'config'>): boolean {
  return config.reporters.some((reporter) => Array.isArray(reporter) && reporter[0] === reportReporterName)
}

interface ReportPlace {
  /** Absolute path of the folder. */
  readonly dir: string
  /** Absolute path of the suite root. */
  readonly root: string
}

interface OpenReport extends ReportPlace {
  readonly folder: ReportFolder
}

function placeOf({ config: { root }, projects }: Vitest, { dir: ownDir }: ReportOptions): ReportPlace {
  const [config] = projects.flatMap((project) => configOf(project) ?? [])
  const dir = config?.report?.dir ?? ownDir ?? config?.options.reportDir ?? 'mdtest-report'
  return { dir: resolve(root, dir), root }
}

async function openAt(place: ReportPlace): Promise<OpenReport> {
  const { clearReport, openReport } = await import('../../report/folder/report-folder.ts')
  const folder = await openReport(place)
  clearReport(place)
  return { ...place, folder }
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

interface NewRun extends Pick<RunRecord, 'startedAt' | 'specs'> {
  /** Absolute path of the suite root. */
  readonly root: string
}

async function newRun({ startedAt, specs, root }: NewRun): Promise<RunRecord> {
  const { readRevision } = await import('../../report/records/read-revision.ts')
  const revision = await readRevision({ folder: root, env: process.env })
  const otherTests = { pass: 0, fail: 0, skipped: 0 }
  return { version: 1, id: randomUUID(), startedAt, specs, otherTests, errors: [], ...(revision && { revision }) }
}

function countTests(modules: readonly TestModule[]): RunRecord['otherTests'] {
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
  const count = (...wanted: readonly string[]): number => states.filter((state) => wanted.includes(state)).length
  return { pass: count('passed'), fail: count('failed', 'pending'), skipped: count('skipped') }
}
