import { readdirSync, readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'

/** Command lines of live processes that hold this text, for example a temporary folder. Not our own. */
export function processesWith(text: string): readonly string[] {
  return allCommandLines()
    .filter(({ pid, line }) => pid !== process.pid && line.includes(text))
    .map(({ line }) => line)
}

/**
 * Command lines of live processes that were started with a home below this folder. Only Linux lets us read the
 * environment; elsewhere only those that name the folder are found.
 */
export function processesOfHome(folder: string): readonly string[] {
  if (process.platform !== 'linux') return processesWith(folder)
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || !readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${folder}`)) return []
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
    } catch {
      return [] // it ended meanwhile
    }
  })
}

/** Agents that a run has started: below its process, for the launcher is between; without what an agent starts itself. */
export function agentsOf(run: number): readonly { readonly pid: number; readonly line: string }[] {
  const all = execFileSync('ps', ['-Aww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((text) => {
      const [, pid, parent, line = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(text) ?? []
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), line }]
    })
  const below = (parent: number): typeof all =>
    all
      .filter((each) => each.parent === parent)
      .flatMap((child) => (child.line.includes('Run id: ') ? [child] : below(child.pid)))
  return below(run)
}

function allCommandLines(): readonly { readonly pid: number; readonly line: string }[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-Aww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n')
    return lines.map((line) => ({ pid: Number.parseInt(line, 10), line }))
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), line: readProcess(name) }))
}

/** Its working directory counts as well: an orphan need not name the folder. A zombie has none of both. */
function readProcess(pid: string): string {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    return `${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')} ${/PWD=[^\0]*/.exec(environment)?.[0] ?? ''}`
  } catch {
    return '' // it ended meanwhile
  }
}
