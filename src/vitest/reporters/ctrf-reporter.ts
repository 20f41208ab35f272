import { dirname, resolve } from 'node:path'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { groundAt } from '../../system/files/trusted-folder.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { messageOf } from '../../system/error-facts.ts'
import { version } from '../../system/mdtest-package.ts'
import type {} from '../plugin/provided.ts'
import { pathOf } from './spec-results.ts'

/** Options of the reporter for CTRF. */
export interface CtrfOptions {
  /** File of the report, relative to the root. @default `'ctrf/ctrf-report.json'` */
  readonly outputFile?: string
}

/**
 * Reporter that writes all tests in the Common Test Report Format (https://ctrf.io), version 0.0.0 of its schema.
 *
 * @example
 * export default defineConfig({ test: { reporters: ['default', 'vitest-mdtest/ctrf'] } })
 */
export class CtrfReporter implements Reporter {
  readonly #options: CtrfOptions
  #vitest: Vitest | undefined
  #startedAtMs = 0

  constructor(options: CtrfOptions = {}) {
    this.#options = options
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(): void {
    this.#startedAtMs = Date.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const vitest = this.#vitest
    if (vitest === undefined) return
    const tests = modules.flatMap((module) => {
      const { relativeModuleId: file } = module
      const failed = { name: file, status: 'failed', duration: 0, suite: [file], filePath: file, rawStatus: 'fail' }
      const errors = module.errors().map(({ message }) => ({ ...failed, message }))
      return [...errors, ...[...module.children.allTests()].map(ctrfTest)]
    })
    const count = (status: string): number => tests.filter((test) => test.status === status).length
    const [passed, failed, skipped, other] = [count('passed'), count('failed'), count('skipped'), count('other')]
    const summary = { tests: tests.length, passed, failed, skipped, pending: 0, other }
    const results = {
      tool: { name: 'vitest-mdtest', version: version() },
      summary: { ...summary, start: this.#startedAtMs, stop: Date.now() },
      tests,
    }
    const report = { reportFormat: 'CTRF', specVersion: '0.0.0', results }
    const file = resolve(vitest.config.root, this.#options.outputFile ?? 'ctrf/ctrf-report.json')
    try {
      const ground = groundAt(dirname(file))
      makeFolder(ground, dirname(file))
      replaceFile(ground, file, `${JSON.stringify(report, undefined, 2)}\n`)
    } catch (error: unknown) {
      vitest.logger.error(`mdtest: The CTRF report in ${file} cannot be written (${messageOf(error)}).`)
    }
  }
}

const statuses = { passed: 'passed', failed: 'failed', skipped: 'skipped', pending: 'other' } as const

function ctrfTest(test: TestCase): Readonly<Record<string, unknown>> & { readonly status: string } {
  const { state, errors = [] } = test.result()
  const { duration = 0, startTime, flaky, retryCount = 0 } = test.diagnostic() ?? {}
  const { outcome, assurance, source, reasons = [] } = test.meta().mdtest ?? {}
  const [error] = errors
  const suites = pathOf(test)
    .slice(0, -1)
    .map(({ name }) => name)
  return {
    ...{ name: test.name, status: statuses[state], duration: Math.round(duration), rawStatus: outcome ?? state },
    ...{ suite: suites.length > 0 ? suites : [test.module.relativeModuleId], filePath: test.module.relativeModuleId },
    ...(startTime !== undefined && { start: Math.round(startTime), stop: Math.round(startTime + duration) }),
    ...(test.location !== undefined && { line: test.location.line }),
    ...(error && { message: error.message, ...(error.stack !== undefined && { trace: error.stack }) }),
    ...{ retries: retryCount, flaky: flaky ?? false },
    ...(outcome && { extra: { outcome, assurance, source: source?.kind, codes: reasons.map(({ code }) => code) } }),
  }
}
