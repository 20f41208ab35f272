import { dirname, resolve } from 'node:path'
import type { AgentEvent } from '../../agents/agent.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import { messageOf } from '../../system/error-facts.ts'
import { realPathOf } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/is-inside.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import type { Answer } from '../reports/step-reports.ts'
import { refused, told } from './executor-answer.ts'
import type { OwnPaths, OwnPlaces } from './own-paths.ts'

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
