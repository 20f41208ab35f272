import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What carries out one browser spec, by process id; absent where it is not there (any more). */
export interface BrowserProcesses {
  /** Playwright's MCP server. */
  readonly server?: number
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

/** The processes of a spec by its name: the server's configuration names the folder of its logs in the project. */
export function browserProcessesOf(spec: string, dir: string): BrowserProcesses {
  const all = readTable()
  const server = all.find((entry) => outputDirOf(entry).startsWith(`${dir}/${spec}.logs/`))
  const browser = all.find(({ parentPid }) => parentPid === server?.pid)
  const renderers = descendantsOf(browser, all).filter(({ line }) => line.includes('--type=renderer'))
  return {
    ...(server && { server: server.pid }),
    ...(browser && { browser: browser.pid }),
    renderers: renderers.map(({ pid }) => pid),
  }
}

function readTable(): readonly Entry[] {
  const rows = execFileSync('ps', ['-Awwo', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n')
  return rows.map((row) => {
    const [, pid, parentPid, line = ''] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(row) ?? []
    return { pid: Number(pid), parentPid: Number(parentPid), line }
  })
}

function outputDirOf({ line }: Entry): string {
  const file = /@playwright\/mcp\/cli\.js --config (\S+)/.exec(line)?.[1]
  return file === undefined ? '' : String(JSON.parse(readFileSync(file, 'utf8')).outputDir)
}

function descendantsOf(root: Entry | undefined, all: readonly Entry[]): readonly Entry[] {
  const children = root === undefined ? [] : all.filter(({ parentPid }) => parentPid === root.pid)
  return children.flatMap((child) => [child, ...descendantsOf(child, all)])
}
