import { relative, sep, dirname, resolve } from 'node:path'
import { groundAt, realPathOf, type Ground } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/paths.ts'
import { isAllowed } from '../guard/source-guard.ts'
import type { AgentEvent } from '../../agents/agent.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import { messageOf } from '../../system/error-facts.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import type { Answer } from '../reports/step-reports.ts'
import { refused, told } from './executor-answer.ts'

export interface OwnPlaces {
  readonly cwd: string
  /** Absolute path of the folder for files of the agent's own. */
  readonly scratchDir: string
  /** Front matter `writes`: patterns relative to `cwd`. */
  readonly writes: readonly string[]
  /** Absolute path of the log folder, where the agent never writes: screenshots there are mdtest's. */
  readonly logsDir: string
}

/** Where an agent may write, and what it wrote. */
export class OwnPaths {
  readonly #scratch: Ground
  readonly #work: Ground
  readonly #logs: string
  readonly #writes: readonly string[]
  readonly #written = new Set<string>()

  constructor({ cwd, scratchDir, writes, logsDir }: OwnPlaces) {
    this.#scratch = groundAt(scratchDir)
    this.#work = groundAt(cwd)
    this.#logs = realPathOf(logsDir)
    this.#writes = writes
  }

  /** The ground below which a file (absolute path) may be written; `undefined` where it may not. */
  groundFor(file: string): Ground | undefined {
    const real = realPathOf(file)
    // `*` would make an option of it.
    if (real.split(sep).some((name) => name.startsWith('-'))) return undefined
    if (isInside(real, this.#scratch.real)) return this.#scratch
    if (!isInside(real, this.#work.real) || isInside(real, this.#logs)) return undefined
    return isAllowed(relative(this.#work.real, real).replaceAll(sep, '/'), this.#writes) ? this.#work : undefined
  }

  /** The agent wrote this file (absolute path), or has a command write it: now, or later in the background. */
  add(file: string): void {
    this.#written.add(realPathOf(file))
  }

  /** Whether a file (absolute path) may be one that the agent wrote. */
  has(file: string): boolean {
    const real = realPathOf(file)
    return isInside(real, this.#scratch.real) || this.#written.has(real)
  }
}

interface WriteOptions extends OwnPlaces {
  readonly own: OwnPaths
  readonly onEvent: (event: AgentEvent) => void
  readonly onDone: (call: DoneCall) => unknown
}

/** Gives the tool `write`: it writes a file for an agent. Links are resolved first. */
export function ownFileWriter(options: WriteOptions): (asked: { path: string; content: string }) => Answer {
  const { cwd, scratchDir, logsDir, writes, own, onEvent, onDone } = options
  let count = 0
  return ({ path, content }) => {
    const file = realPathOf(resolve(cwd, path))
    const ground = own.groundFor(file)
    if (ground === undefined && isInside(file, realPathOf(logsDir))) {
      return refused(
        `mdtest itself writes what is in ${logsDir}. Report with \`report_step\`, and quote what was printed.`,
      )
    }
    if (ground === undefined) {
      const allowed = writes.length === 0 ? 'no `writes` in its front matter' : `\`writes: ${JSON.stringify(writes)}\``
      return refused(
        `\`${path}\` may not be written: the spec has ${allowed}. Files of your own go to ${scratchDir}. Do not do the product's work.`,
      )
    }
    try {
      makeFolder(ground, dirname(file))
      replaceFile(ground, file, content)
    } catch (error: unknown) {
      return refused(`\`${path}\` was not written: ${messageOf(error)}.`)
    }
    own.add(file)
    count += 1
    const call = { kind: 'file', tool: 'write', use: 'edit', title: `write ${path}`, files: [file] } as const // literal words
    onEvent({ type: 'tool-call', id: `f${count}`, ...call, written: [content], directory: cwd })
    onEvent({ type: 'tool-result', id: `f${count}`, isError: false, output: '' })
    // By the name under which the agent knows it: a recording goes by names.
    onDone({ kind: 'edit', file: resolve(cwd, path), content })
    return told(`Written: ${file}, ${Buffer.byteLength(content)} bytes.`)
  }
}
