import type { Reporter, SerializedError, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { plainText } from '../../system/text/plain-text.ts'
import { hasReporter, printLine } from './lines/print-line.ts'
import { ReportReporter, reportReporters, type ReportOptions } from './report-reporter.ts'

/** Options of the reporter for pull requests. */
export interface GitHubOptions extends ReportOptions {
  /** Name of the suite in the comment: give each job of a matrix its own. @default `MDTEST_SUITE`, else names of workflow and job */
  readonly suite?: string
  /** Address of the folder of the report, where it is hosted: for screenshots. */
  readonly reportUrl?: string
  /** Prints what would be sent, and asks nobody. @default false */
  readonly dryRun?: boolean
}

/**
 * Reporter that writes the HTML report, and tells a pull request on GitHub what came of the specs, in one comment. Without
 * GitHub Actions it is the reporter of the report alone.
 *
 * @example
 * export default defineConfig({ test: { reporters: ['default', 'vitest-mdtest/github'] } })
 */
export class GitHubReporter implements Reporter {
  readonly #options: GitHubOptions
  readonly #own: ReportReporter
  #vitest: Vitest | undefined

  /** @throws {MdtestError} for an option that is none. */
  constructor(options: GitHubOptions = {}) {
    this.#options = options
    this.#own = new ReportReporter(options)
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    // Another reporter may write the report already.
    if (this.#vitest !== undefined && !reportReporters.has(this.#vitest)) this.#own.onInit(this.#vitest)
    if (this.#isWriter) await this.#own.onTestRunStart(specifications)
  }

  async onTestModuleEnd(module: TestModule): Promise<void> {
    if (this.#isWriter) await this.#own.onTestModuleEnd(module)
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): Promise<void> {
    if (this.#isWriter) await this.#own.onTestRunEnd(modules, errors)
    await this.#tell()
  }

  get #isWriter(): boolean {
    return this.#vitest !== undefined && reportReporters.get(this.#vitest) === this.#own
  }

  async #tell(): Promise<void> {
    const vitest = this.#vitest
    if (vitest === undefined) return
    // By then Vitest has called all its reporters.
    await Promise.resolve()
    const folder = await reportReporters.get(vitest)?.written
    // A shard whose results are merged later is told of then.
    if (folder === undefined || vitest.config.watch || hasReporter(vitest, 'blob')) return
    const { tellPullRequest } = await import('../../pull-request/tell-pull-request.ts')
    const { shard } = vitest.config
    const part = shard === undefined ? '' : ` (shard ${shard.index}/${shard.count})`
    const { suite, reportUrl, dryRun = false } = this.#options
    const posted = await tellPullRequest(folder, {
      ...{ env: process.env, root: vitest.config.root, part, isDryRun: dryRun },
      ...(suite !== undefined && { suite }),
      ...(reportUrl !== undefined && { reportUrl }),
    })
    if (posted === undefined) return
    printLine(vitest, plainText(dryRun ? `${posted.body}\n${posted.message}` : posted.message))
  }
}
