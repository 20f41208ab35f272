import { readdirSync, statSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { AgentEvent } from '../../agents/agent.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import { errorCode, messageOf } from '../../system/error-facts.ts'
import { realPathOf } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/is-inside.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { quoteWord } from '../../system/text/quote-word.ts'
import type { Answer } from '../reports/step-reports.ts'
import { refused, told } from './executor-answer.ts'
import type { OwnFiles } from './own-files.ts'
import { shownFrom } from './shown-output.ts'

export interface FileOptions {
  readonly own: OwnFiles
  /** Absolute path of where the agent works. */
  readonly cwd: string
  /** Absolute paths of folders and files that may be looked at. */
  readonly roots: readonly string[]
  readonly scratchDir: string
  /** Absolute path of the log folder. */
  readonly logsDir: string
  /** Front matter `writes`. */
  readonly writes: readonly string[]
  readonly onEvent: (event: AgentEvent) => void
  readonly onDone: (call: DoneCall) => unknown
}

const maxReadBytes = 10 * 1024 * 1024
const maxEntries = 500

/** Shows and writes files for an agent. Links are resolved first. */
export class ScratchFiles {
  readonly #options: FileOptions
  readonly #roots: readonly string[]
  #count = 0

  constructor(options: FileOptions) {
    this.#options = options
    this.#roots = options.roots.map(realPathOf)
  }

  read({ path, from = 1 }: { path: string; from?: number }): Answer {
    const file = this.#placeOf(path)
    if (file === undefined) return refused(this.#outside(path))
    const bytes = readForeignFile(file, maxReadBytes)
    if (bytes === undefined) return refused(whyUnreadable(path, file))
    if (bytes.includes(0)) return refused(`\`${path}\` is no text: ${bytes.length} bytes.`)
    const output = bytes.toString('utf8')
    this.#tell({ kind: 'file', tool: 'read', title: `read ${path}`, files: [file] }, output)
    this.#options.onDone({ kind: 'read', file: this.#named(path), output })
    return told(shownFrom(output, from, (line) => `read ${JSON.stringify({ path, from: line })}`))
  }

  list({ path = '.' }: { path?: string }): Answer {
    const folder = this.#placeOf(path)
    if (folder === undefined) return refused(this.#outside(path))
    try {
      const names = readdirSync(folder, { withFileTypes: true }).map((entry) =>
        entry.isDirectory() ? `${entry.name}/` : entry.name,
      )
      const shown = names.toSorted().slice(0, maxEntries)
      const more = names.length > maxEntries ? [`… ${names.length - maxEntries} more`] : []
      const output = [...shown, ...more].join('\n')
      this.#tell({ kind: 'file', tool: 'list', use: 'list', title: `list ${path}`, files: [folder] }, output)
      if (more.length === 0) this.#options.onDone(listing(path, this.#options.cwd, output))
      return told(output === '' ? 'It is empty.' : output)
    } catch (error: unknown) {
      const code = errorCode(error)
      return refused(code === 'ENOENT' ? `There is no \`${path}\`.` : `\`${path}\` cannot be listed (${code}).`)
    }
  }

  write({ path, content }: { path: string; content: string }): Answer {
    const { own, cwd, scratchDir, logsDir, writes, onDone } = this.#options
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
    own.addFile(file)
    this.#tell(
      { kind: 'file', tool: 'write', use: 'edit', title: `write ${path}`, files: [file], written: [content] },
      '',
    )
    onDone({ kind: 'edit', file: this.#named(path), content })
    return told(`Written: ${file}, ${Buffer.byteLength(content)} bytes.`)
  }

  /** Absolute path without links of what may be looked at. */
  #placeOf(path: string): string | undefined {
    const file = realPathOf(isAbsolute(path) ? path : join(this.#options.cwd, path))
    return this.#roots.some((root) => isInside(file, root)) ? file : undefined
  }

  /** Absolute path as the agent knows it: a recording goes by names. */
  #named(path: string): string {
    return resolve(this.#options.cwd, path)
  }

  #outside(path: string): string {
    return `\`${path}\` leads outside of ${this.#options.cwd}: only files of the project may be looked at.`
  }

  #tell(call: Omit<Extract<AgentEvent, { type: 'tool-call' }>, 'type' | 'id'>, output: string): void {
    this.#count += 1
    const id = `f${this.#count}`
    this.#options.onEvent({ type: 'tool-call', id, ...call, directory: this.#options.cwd })
    this.#options.onEvent({ type: 'tool-result', id, isError: false, output })
  }
}

/** As the command that shows the same. */
function listing(path: string, cwd: string, output: string): DoneCall {
  const command = path === '.' ? 'ls -1Ap' : `ls -1Ap ${quoteWord(path)}`
  const lines = output === '' ? '' : `${output}\n`
  return { kind: 'command', command, cwd, exitCode: 0, output: lines, isWhole: true, isBackground: false }
}

function whyUnreadable(path: string, file: string): string {
  let stats: Stats | undefined
  try {
    stats = statSync(file, { throwIfNoEntry: false })
  } catch (error: unknown) {
    return `\`${path}\` cannot be read (${errorCode(error)}).`
  }
  if (stats === undefined) return `There is no \`${path}\`.`
  if (stats.isDirectory()) return `\`${path}\` is a folder: use \`list\`.`
  return stats.size > maxReadBytes ? `\`${path}\` has more than ${maxReadBytes} bytes.` : `\`${path}\` cannot be read.`
}
