import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process of a project. */
export interface ProjectProcess {
  readonly pid: number
  readonly parentPid: number
  /** Command line, with spaces. */
  readonly line: string
}

/**
 * Live processes with this folder in their command line, environment or working directory, where the launcher counts
 * if the folder is in our environment. A zombie shows none of the three.
 */
export function processesOf(dir: string): readonly ProjectProcess[] {
  const all = process.platform === 'linux' ? readProc() : readPs()
  return all.filter(({ pid, text }) => pid !== process.pid && text.includes(dir))
}

/** Ids of dead processes that these have not collected. */
export function zombiesOf(parents: readonly ProjectProcess[]): readonly number[] {
  const ids = new Set(parents.map(({ pid }) => pid))
  const rows = execFileSync('ps', ['-Ao', 'pid=,ppid=,state='], { encoding: 'utf8' }).split('\n')
  return rows.flatMap((row) => {
    const [pid, parentPid, state = ''] = row.trim().split(/\s+/)
    return state.startsWith('Z') && ids.has(Number(parentPid)) ? [Number(pid)] : []
  })
}

/** Waits until no process of the folder is left, at most `limitMs`; gives the command lines of those that are. */
export async function leftAfter(dir: string, limitMs = 60_000): Promise<readonly string[]> {
  const deadlineMs = performance.now() + limitMs
  for (;;) {
    const left = processesOf(dir)
    if (left.length === 0 || performance.now() > deadlineMs) return left.map(({ line }) => line)
    await sleep(50)
  }
}

/** Waits until `isThere` holds; false if that takes longer than `limitMs`. */
export async function happensWithin(limitMs: number, isThere: () => boolean): Promise<boolean> {
  const deadlineMs = performance.now() + limitMs
  while (!isThere()) {
    if (performance.now() > deadlineMs) return false
    await sleep(25)
  }
  return true
}

/** Temporary folders of ours that are left in a folder. */
export function temporaryFoldersIn(dir: string): readonly string[] {
  return existsSync(dir) ? readdirSync(dir).filter((name) => name.startsWith('mdtest-')) : []
}

interface FoundProcess extends ProjectProcess {
  readonly text: string
}

function readProc(): readonly FoundProcess[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readOne(name) : []))
}

function readOne(pid: string): readonly FoundProcess[] {
  const folder = join('/proc', pid)
  try {
    const stat = readFileSync(join(folder, 'stat'), 'utf8')
    const parentPid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const line = readFileSync(join(folder, 'cmdline'), 'utf8').replaceAll('\0', ' ')
    const text = `${line} ${readFileSync(join(folder, 'environ'), 'utf8')} ${readlinkSync(join(folder, 'cwd'))}`
    return [{ pid: Number(pid), parentPid, line, text }]
  } catch {
    return [] // it ended meanwhile, or belongs to someone else
  }
}

/** macOS shows the environment, but not the working directory. */
function readPs(): readonly FoundProcess[] {
  const rows = execFileSync('ps', ['-AEwwo', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n')
  return rows.map((row) => {
    const [, pid, parentPid, line = ''] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(row) ?? []
    return { pid: Number(pid), parentPid: Number(parentPid), line, text: line }
  })
}
