import { relative } from 'node:path'
import type { Reporter, TestProject } from 'vitest/node'
import type { KeptRecording, Recordings } from '../../host/rewrite/recordings.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { isCi } from '../../system/is-ci.ts'
import { printLine } from '../reporters/lines/print-line.ts'

/** Recordings are written like snapshots: missing ones, with `-u` all, under CI none; `mdtest record` writes all. */
export class SpecRecordings implements Recordings {
  readonly #project: TestProject
  readonly #config: Pick<SpecsConfig, 'record'>
  readonly #env: NodeJS.ProcessEnv
  #kept: KeptRecording[] = []

  constructor(project: TestProject, config: Pick<SpecsConfig, 'record'>, env: NodeJS.ProcessEnv) {
    this.#project = project
    this.#config = config
    this.#env = env
  }

  mode(): 'none' | 'missing' | 'all' {
    const { record } = this.#config
    if (record !== undefined) return record === 'write' ? 'all' : 'none'
    if (isCi(this.#env)) return 'none'
    return this.#project.vitest.snapshot.options.updateSnapshot === 'all' ? 'all' : 'missing'
  }

  onKept(kept: KeptRecording): void {
    this.#kept.push(kept)
    if (!kept.isWritten) return
    const isNew = kept.before === ''
    const unchanged = { fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0 }
    this.#project.vitest.snapshot.add({
      ...unchanged,
      filepath: kept.file,
      added: isNew ? 1 : 0,
      updated: isNew ? 0 : 1,
    })
  }

  /** Tells at the end of a run what was recorded, and what not and why. */
  get reporter(): Reporter {
    return {
      onTestRunStart: () => {
        this.#kept = []
      },
      onTestRunEnd: async () => {
        if (this.#kept.length === 0) return
        // With the package that makes diffs: for those alone that record.
        const { describeRecording } = await import('../../recordings/describe-recording.ts')
        const { vitest } = this.#project
        const nameOf = (file: string): string => relative(vitest.config.root, file)
        const lines = this.#kept.flatMap((kept) =>
          describeRecording(kept, { nameOf, hasDiff: this.#config.record !== undefined }),
        )
        if (lines.length > 0) printLine(vitest, lines.join('\n'))
      },
    }
  }
}
