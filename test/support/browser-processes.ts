import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'

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

/** The processes of a spec by its name: the output of the server is in the folder of its logs. */
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

function configOf({ line }: Entry): string | undefined {
  return /@playwright\/mcp\/cli\.js --config (\S+)/.exec(line)?.[1]
}

function outputDirOf(entry: Entry): string {
  const file = configOf(entry)
  const link = file === undefined ? '' : String(JSON.parse(readFileSync(file, 'utf8')).outputDir)
  // A browser without a scenario has a link that is not there yet.
  return existsSync(link) ? realpathSync(link) : ''
}

function descendantsOf(root: Entry | undefined, all: readonly Entry[]): readonly Entry[] {
  const children = root === undefined ? [] : all.filter(({ parentPid }) => parentPid === root.pid)
  return children.flatMap((child) => [child, ...descendantsOf(child, all)])
}
