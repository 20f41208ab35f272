// `startLauncher` starts this program. The first line of stdin has the settings (JSON). Later, `+ROOT` (JSON) adds a
// tree, `-PID` removes a tree, `=STATE` (JSON) is the terminal's state, and `bye` announces a normal end.
import { chmodSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeRunFolder } from './run-folder.ts'
import { type TreeRoot, killTrees } from '../trees/kill-trees.ts'
import { serveLaunches } from './launch.ts'
import { type LauncherSettings, putBackTerminal, type TerminalState } from './launcher.ts'
import { createLineSplitter } from '../read-output.ts'
import { refuseDebugger } from '../../mdtest-package.ts'

/** Time for an agent to clean up its working directory after the main process died. */
const graceMs = 3000

const removalLimitMs = 10_000
const betweenRemovalsMs = 100

const maxLineChars = 65_536

refuseDebugger()
await serve()

async function serve(): Promise<void> {
  // A signal to the group or terminal of the main process must not end this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.stdout.on('error', () => undefined)
  const roots = new Map<number, TreeRoot>()
  let settings: LauncherSettings | undefined
  let terminal: TerminalState | null = null
  let isClean = false
  const adopt = (root: TreeRoot): void => void roots.set(root.pid, root)
  const obey = (line: string): void => {
    if (settings === undefined) {
      settings = JSON.parse(line) as LauncherSettings // from `startLauncher`, of this package
      if (settings.socketPath !== undefined) listen({ ...settings, socketPath: settings.socketPath }, roots)
    } else if (line === 'bye') isClean = true
    else if (line.startsWith('+')) adopt(JSON.parse(line.slice(1)) as TreeRoot) // from `Launcher.adopt`
    else if (line.startsWith('=')) terminal = JSON.parse(line.slice(1)) as TerminalState | null // from `guardTerminal`
    else if (line.startsWith('-')) roots.delete(Number(line.slice(1)))
  }
  const lines = createLineSplitter(maxLineChars, obey)
  await new Promise((resolve) => {
    process.stdin.setEncoding('utf8').on('data', lines.push)
    process.stdin.on('error', () => undefined).once('close', resolve)
  })
  // Restore the terminal first, because a user may be looking at it.
  const putBack = isClean || terminal === null ? undefined : putBackTerminal(terminal)
  const mark = isClean ? '' : (settings?.runMark ?? '')
  const left = [...roots.values()]
  roots.clear()
  await killTrees({ roots: left, mark, graceMs: isClean ? 0 : graceMs })
  await putBack
  if (!isClean && settings) await removeFolders(settings)
}

/** Tries for a while, because workers of Vitest or Jest may outlive the main process and still write to a folder. */
async function removeFolders({ folders, runMark }: LauncherSettings): Promise<void> {
  const deadlineMs = performance.now() + removalLimitMs
  for (const folder of folders) {
    while (!removeRunFolder(folder, runMark) && performance.now() < deadlineMs) await sleep(betweenRemovalsMs)
  }
}

function listen({ socketPath, token }: Required<LauncherSettings>, roots: Map<number, TreeRoot>): void {
  const server = createServer((socket) => serveLaunches(socket.unref(), token, roots))
  server.unref()
  // If the socket cannot be opened, end this launcher. The main process then reports that the start failed.
  server.once('error', () => process.stdin.destroy())
  // A killed launcher may have left its socket behind.
  rmSync(socketPath, { force: true })
  server.listen(socketPath, () => {
    chmodSync(socketPath, 0o600)
    process.stdout.write('ready\n')
  })
}
