import { sep, dirname, resolve } from 'node:path'
import { groundAt, realPathOf, type Ground } from '../../system/files/trusted-folder.ts'
import { isInside, pathIn } from '../../system/files/paths.ts'
import { isAllowed } from '../guard/source-snapshots.ts'
import { messageOf } from '../../system/error-facts.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import type { Answer } from '../agent-reports/step-reports.ts'
import { refused, told, type ActingContext } from './executor-answer.ts'

interface OwnFilesOptions extends ActingContext {
  readonly writes: readonly string[]
  /** Absolute path of the log folder. The agent must not write there, because mdtest's screenshots are evidence. */
  readonly logsDir: string
}

export class OwnFiles {
  readonly #options: OwnFilesOptions
  readonly #scratch: Ground
  readonly #work: Ground
  readonly #logs: string
  readonly #written = new Set<string>()
  #count = 0

  constructor(options: OwnFilesOptions) {
    this.#options = options
    this.#scratch = groundAt(options.scratchDir)
    this.#work = groundAt(options.cwd)
    this.#logs = realPathOf(options.logsDir)
  }

  /** The base folder through which a file (absolute path) is written; `undefined` if the agent may not write it. */
  groundFor(file: string): Ground | undefined {
    const real = realPathOf(file)
    // Refuse names such as `-rf`: a shell's `*` could pass them to a program as options.
    if (real.split(sep).some((name) => name.startsWith('-'))) return undefined
    if (isInside(real, this.#scratch.real)) return this.#scratch
    if (!isInside(real, this.#work.real) || isInside(real, this.#logs)) return undefined
    return isAllowed(pathIn(this.#work.real, real), this.#options.writes) ? this.#work : undefined
  }

  add(file: string): void {
    this.#written.add(realPathOf(file))
  }

  has(file: string): boolean {
    const real = realPathOf(file)
    return isInside(real, this.#scratch.real) || this.#written.has(real)
  }

  write({ path, content }: { readonly path: string; readonly content: string }): Answer {
    const { cwd, onEvent, onDone } = this.#options
    const file = realPathOf(resolve(cwd, path))
    const ground = this.groundFor(file)
    if (ground === undefined) return refused(this.#whyNot(path, file))
    try {
      makeFolder(ground, dirname(file))
      replaceFile(ground, file, content)
    } catch (error: unknown) {
      return refused(`\`${path}\` was not written: ${messageOf(error)}.`)
    }
    this.add(file)
    this.#count += 1
    const id = `f${this.#count}`
    const call = { kind: 'file', tool: 'write', use: 'edit', title: `write ${path}`, files: [file] } as const
    onEvent({ type: 'tool-call', id, ...call, written: [content], directory: cwd })
    onEvent({ type: 'tool-result', id, isError: false, output: '' })
    // Record the path as the agent gave it, because a recording repeats this path.
    onDone({ kind: 'edit', file: resolve(cwd, path), content })
    return told(`Written: ${file}, ${Buffer.byteLength(content)} bytes.`)
  }

  #whyNot(path: string, file: string): string {
    const { scratchDir, logsDir, writes } = this.#options
    if (isInside(file, this.#logs))
      return `mdtest itself writes what is in ${logsDir}. Report with \`report_step\`, and quote what was printed.`
    const allowed = writes.length === 0 ? 'no `writes` in its front matter' : `\`writes: ${JSON.stringify(writes)}\``
    return `\`${path}\` may not be written: the spec has ${allowed}. Files of your own go to ${scratchDir}. Do not do the product's work.`
  }
}
