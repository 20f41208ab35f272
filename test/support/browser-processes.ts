import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What carries out one browser spec, by process id; absent where it is not there (any more). */
export interface BrowserProcesses {
  /** Chromium itself. */
  readonly browser?: number
  /** What draws its pages. */
  readonly renderers: readonly number[]
}

interface Entry {
  readonly pid: number
  readonly parentPid: number
  readonly line: string
}

/** The processes of the spec that sets this variable. */
export function browserProcessesOf(variable: string): BrowserProcesses {
  const all = readTable()
  const agent = all.find(
    ({ pid, line }) => line.includes('agents/browser/model-program/main.js') && environOf(pid).includes(variable),
  )
  const browser = all.find(({ parentPid }) => parentPid === agent?.pid)
  const renderers = descendantsOf(browser, all).filter(({ line }) => line.includes('--type=renderer'))
  return { ...(browser && { browser: browser.pid }), renderers: renderers.map(({ pid }) => pid) }
}

function environOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return [] // It has ended.
  }
}

function readTable(): readonly Entry[] {
  const rows = execFileSync('ps', ['-Awwo', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n')
  return rows.map((row) => {
    const [, pid, parentPid, line = ''] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(row) ?? []
    return { pid: Number(pid), parentPid: Number(parentPid), line }
  })
}

function descendantsOf(root: Entry | undefined, all: readonly Entry[]): readonly Entry[] {
  const children = root === undefined ? [] : all.filter(({ parentPid }) => parentPid === root.pid)
  return children.flatMap((child) => [child, ...descendantsOf(child, all)])
}
