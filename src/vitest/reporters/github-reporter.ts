import type { SerializedError, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { plainText } from '../../system/text/plain-text.ts'
import { hasReporter, printLine } from './lines/print-line.ts'
import { ReportReporter, reportReporters, type ReportOptions } from './report-reporter.ts'

/** Options of the reporter that comments on pull requests. */
export interface GitHubOptions extends ReportOptions {
  /** Name of the suite in the comment, unique in a matrix. @default `MDTEST_SUITE`, or names of workflow and job */
  readonly suite?: string
  /** URL at which the report's folder is hosted. Screenshots are shown only if it is set. */
  readonly reportUrl?: string
  /** Print what would be sent, without contacting GitHub. @default false */
  readonly dryRun?: boolean
}

/**
 * Reporter that writes the HTML report and comments on the pull request on GitHub with the results. Outside of GitHub
 * Actions it only writes the report.
 *
 * @example
 * export default defineConfig({ test: { reporters: ['default', 'vitest-mdtest/github'] } })
 */
export class GitHubReporter extends ReportReporter {
  readonly #options: GitHubOptions
  #vitest: Vitest | undefined

  /** @throws {MdtestError} if an option is unknown or invalid */
  constructor(options: GitHubOptions = {}) {
    super(options)
    this.#options = options
  }

  override onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  override async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    // Without `onInit` this reporter writes nothing, which is right if another reporter writes the report.
    if (this.#vitest !== undefined && !reportReporters.has(this.#vitest)) super.onInit(this.#vitest)
    await super.onTestRunStart(specifications)
  }

  override async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): Promise<void> {
    await super.onTestRunEnd(modules, errors)
    await this.#tell()
  }

  async #tell(): Promise<void> {
    const vitest = this.#vitest
    if (vitest === undefined) return
    // Wait until Vitest has called all reporters, so that another reporter has set `written`.
    await Promise.resolve()
    const folder = await reportReporters.get(vitest)?.written
    // A shard does not comment, because the run that merges the shards does.
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
