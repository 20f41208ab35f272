import { printLine } from '../reporters/lines/print-line.ts'
import { startOf } from '../private-api/untyped-members.ts'
import { listOrphans } from '../../plan/spec-files.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import type { KeptRecording, Recordings } from '../../host/rewrite/write-recordings.ts'
import type { Reporter, TestModule, TestProject } from 'vitest/node'
import { relative } from 'node:path'
import type {} from './provided.ts'
import { isCi } from '../../system/is-ci.ts'
import { ownCommand } from '../../system/mdtest-package.ts'
import { otherKeysAre } from '../../spec/recording/recording.ts'
import { quoteWord } from '../../system/text/shell-and-regex-quotes.ts'

/** Writes recordings like snapshots: missing recordings by default, all with `-u` or `mdtest record`, none in CI. */
export class SpecRecordings implements Recordings {
  readonly #project: TestProject
  readonly #config: SpecsConfig
  #kept: KeptRecording[] = []

  constructor(project: TestProject, config: SpecsConfig) {
    this.#project = project
    this.#config = config
  }

  mode(): 'none' | 'missing' | 'all' {
    const { record } = this.#config
    if (record !== undefined) return record === 'write' ? 'all' : 'none'
    if (isCi(process.env)) return 'none'
    return this.#isUpdate() ? 'all' : 'missing'
  }

  #isUpdate(): boolean {
    return this.#project.vitest.snapshot.options.updateSnapshot === 'all'
  }

  onKept(kept: KeptRecording): void {
    this.#kept.push(kept)
    this.#config.onKept?.(kept)
    const { file: filepath, added, updated, obsolete, isWritten, isCleaned } = kept
    // Vitest reports `uncheckedKeys` as obsolete, and with `-u` as removed.
    const unchecked = isCleaned === this.#isUpdate() ? obsolete : []
    const written = isWritten ? { added, updated } : { added: 0, updated: 0 }
    this.#project.vitest.snapshot.add({
      ...{ filepath, fileDeleted: false, matched: 0, unmatched: 0, ...written },
      unchecked: unchecked.length,
      uncheckedKeys: unchecked.map(({ line, title }) => `line ${line}: ${title}`),
    })
  }

  get reporter(): Reporter {
    return {
      onTestRunStart: () => {
        this.#kept = []
      },
      onTestRunEnd: async (modules) => {
        const lines = [
          ...this.#describeOtherKeys(modules),
          ...(await this.#describeKept(modules)),
          ...(await this.#describeOrphans(modules)),
        ]
        if (lines.length > 0) printLine(this.#project.vitest, lines.join('\n'))
      },
    }
  }

  #describeOtherKeys(modules: readonly TestModule[]): readonly string[] {
    const { root } = this.#project.vitest.config
    const names = modules
      .filter(
        (one) => one.project === this.#project && one.errors().some((error) => error.message.includes(otherKeysAre)),
      )
      .map(({ moduleId }) => quoteWord(relative(root, moduleId)))
    if (names.length === 0) return []
    return [
      `recordings: ${names.length} with keys of another version. Record them again: ${ownCommand} record ${names.join(' ')}`,
    ]
  }

  async #describeKept(modules: readonly TestModule[]): Promise<readonly string[]> {
    if (this.#kept.length === 0) return []
    // Loaded only by runs that record, because the module imports the diff package.
    const { describeRecording } = await import('../../recordings/describe-recording.ts')
    const nameOf = (file: string): string => relative(this.#project.vitest.config.root, file)
    const failed = new Set(
      modules.filter((module) => module.project === this.#project && !module.ok()).map(({ moduleId }) => moduleId),
    )
    const isCommand = this.#config.record !== undefined
    return this.#kept.flatMap((kept) => {
      const hasFailed = failed.has(kept.specFile)
      // After a failed test, only `mdtest record` reports steps that could not be recorded.
      const told = hasFailed && !isCommand ? { ...kept, refusals: [] } : kept
      // Show a diff of a replaced recording, because somebody may have reviewed the old one.
      const writer = isCommand ? 'mdtest record' : '-u'
      return describeRecording(told, { nameOf, hasDiff: isCommand || kept.updated > 0, hasFailed, writer })
    })
  }

  async #describeOrphans(modules: readonly TestModule[]): Promise<readonly string[]> {
    const { vitest } = this.#project
    const { root, testNamePattern } = vitest.config
    const { record, options } = this.#config
    const isAll = testNamePattern === undefined && startOf(vitest).files.length === 0
    if (record === undefined && !(options.recordings && isAll)) return []
    // A recording without spec belongs to no project, so only the first project of a run reports it.
    if (searched.has(modules)) return []
    searched.add(modules)
    const orphans = await listOrphans(root, process.env)
    return orphans.map((file) => `obsolete: ${relative(root, file)}: its spec is gone. Rename or delete it as well.`)
  }
}

const searched = new WeakSet<readonly TestModule[]>()
