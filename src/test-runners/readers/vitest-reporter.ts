import { appendFileSync, writeFileSync } from 'node:fs'
import type { VitestLine } from '../templates/vitest-and-jest.ts'

/** What we read of Vitest's objects. */
interface Thrown {
  readonly message?: string
  readonly stack?: string
  readonly diff?: string
}

interface Module {
  readonly moduleId: string
  readonly errors: () => readonly Thrown[]
}

interface Test {
  readonly module: Module
  readonly fullName: string
  readonly location?: { readonly line: number } | undefined
  readonly result: () => { readonly state: string; readonly errors?: readonly Thrown[] | undefined }
}

/** A reporter that Vitest loads. It writes what begins and ends as JSON lines at once, because a run may be ended. */
export default class {
  #file = ''

  onInit({ config: { outputFile } }: { config: { outputFile?: string | Partial<Record<string, string>> } }): void {
    this.#file = typeof outputFile === 'object' ? (outputFile['mdtest'] ?? '') : (outputFile ?? '')
    writeFileSync(this.#file, '')
  }

  onTestModuleStart({ moduleId: file }: Module): void {
    this.#write({ file, status: 'begun' })
  }

  onTestCaseReady({ module: { moduleId: file }, fullName: name }: Test): void {
    this.#write({ file, name, status: 'begun' })
  }

  onTestCaseResult(test: Test): void {
    const { state, errors = [] } = test.result()
    const status = state === 'passed' || state === 'failed' ? state : 'skipped'
    const { module, fullName: name, location } = test
    this.#write({ file: module.moduleId, name, status, line: location?.line, ...describe(errors) })
  }

  onTestSuiteResult(suite: { readonly module: Module } & Pick<Module, 'errors'>): void {
    const errors = suite.errors()
    if (errors.length > 0) this.#write({ file: suite.module.moduleId, status: 'failed', ...describe(errors) })
  }

  onTestModuleEnd(module: Module): void {
    const errors = module.errors()
    const status = errors.length === 0 ? 'passed' : 'failed'
    this.#write({ file: module.moduleId, status, ...describe(errors) })
  }

  /** The last line tells a run that found no tests from one that was ended. */
  onTestRunEnd(): void {
    this.#write({ status: 'over' })
  }

  #write(line: VitestLine): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

function describe(errors: readonly Thrown[]): Pick<VitestLine, 'message' | 'diff'> {
  if (errors.length === 0) return {}
  const message = errors.map((error) => error.stack ?? error.message ?? '').join('\n')
  return { message, diff: errors.find(({ diff }) => diff !== undefined)?.diff }
}
