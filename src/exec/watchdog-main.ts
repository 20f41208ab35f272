// The program that `startWatchdog` starts: `+pid`, `-pid` and `bye` come in by lines on standard input.
import type { TreeRoot } from './find-tree.ts'
import { killTrees } from './kill-trees.ts'
import { createLineSplitter } from './line-splitter.ts'
import { readStartTime } from './process-table.ts'
import { removeRunFolder } from './run-folder.ts'

/** Enough for an agent to remove what it left in the working directory. */
const graceMs = 1000

await watch(process.argv[2] ?? '', process.argv[3] ?? '')

async function watch(runMark: string, folder: string): Promise<void> {
  // Whoever ends the main process with a signal to all of its group or terminal must not end us.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const roots = new Map<number, TreeRoot>()
  let isClean = false
  function obey(line: string): void {
    const pid = Number(line.slice(1))
    if (line === 'bye') isClean = true
    else if (line.startsWith('+')) roots.set(pid, { pid, startTime: readStartTime(pid) })
    else if (line.startsWith('-')) roots.delete(pid)
  }
  const lines = createLineSplitter({ maxLineChars: 1024, onLine: obey })
  await new Promise((resolve) => {
    process.stdin.setEncoding('utf8').on('data', lines.push)
    // Not `end`: a connection that was reset only closes.
    process.stdin.on('error', () => undefined).once('close', resolve)
  })
  if (isClean) return
  await killTrees({ roots: [...roots.values()], mark: runMark }, { graceMs })
  removeRunFolder(folder, runMark)
}
