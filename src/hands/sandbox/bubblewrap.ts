import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, sep } from 'node:path'
import { findOnPath } from '../../system/files/find-on-path.ts'
import { isInside } from '../../system/files/is-inside.ts'
import { runProgram } from '../../system/process/run-program.ts'

/** Whether programs can be put into a sandbox here, and by which program; `why` is the end of a sentence. */
export type Sandbox = { readonly ok: true; readonly program: string } | { readonly ok: false; readonly why: string }

/** What a program in the sandbox sees. All paths are absolute; those that do not exist are left out. */
export interface SandboxView {
  /** Path of `bwrap`, of `findSandbox`. */
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Files and folders that it may write. Where a path in `readable` is deeper, that cannot be written. */
  readonly writable: readonly string[]
  /** What has to stay in sight wherever it lies, also in folders that are hidden; not to be written. */
  readonly readable: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const trialTimeoutMs = 10_000
const sandboxes = new Map<string, Promise<Sandbox>>()

/**
 * Looks for bubblewrap on PATH and starts it once in the life of this process: a machine may forbid what it needs.
 *
 * @param env with the PATH that is searched
 */
export function findSandbox({ PATH: path = '' }: Environment): Promise<Sandbox> {
  if (process.platform !== 'linux') return Promise.resolve({ ok: false, why: 'bubblewrap is for Linux alone' })
  const program = findOnPath('bwrap', { path, cwd: '/' })
  if (program === undefined) return Promise.resolve({ ok: false, why: 'bubblewrap (`bwrap`) is not installed' })
  const known = sandboxes.get(program) ?? tryOut(program)
  sandboxes.set(program, known)
  return known
}

async function tryOut(program: string): Promise<Sandbox> {
  const argv = [program, ...isolation, '--tmpfs', '/tmp', '--', 'true'] as const // not empty
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  const { stderr, failure } = await runProgram([...argv], { cwd: '/', env, timeoutMs: trialTimeoutMs })
  if (failure === undefined) return { ok: true, program }
  const said = stderr.toString().trim().split('\n').at(-1)
  return {
    ok: false,
    why: `bubblewrap does not work here (${said === undefined || said === '' ? failure.message : said})`,
  }
}

/** All files can be read and none written; processes and shared memory are its own; root has no rights of root. */
const isolation = [
  ...['--ro-bind', '/', '/'],
  ...['--dev', '/dev', '--proc', '/proc'],
  // Files of the kernel, which root may write without any rights.
  ...['sys', 'sysrq-trigger', 'scsi', 'mtrr', 'acpi'].flatMap((name) => [
    '--ro-bind-try',
    `/proc/${name}`,
    `/proc/${name}`,
  ]),
  ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
  // Who ends it, ends all that it started.
  '--die-with-parent',
]

/** Folders for sockets and for files of everybody. */
const sharedFolders = ['/tmp', '/var/tmp', '/run', '/var/run']
/** The folder for temporary files in the sandbox: short, for the sake of sockets, and gone with it. */
const ownTemporary = '/tmp'

/** Programs that act for whoever reaches them: they are asked by their sockets, whose names stand in variables. */
const doors =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|CONTAINER_HOST|TMUX|TMUX_PANE|TMUX_TMPDIR|STY|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|VSCODE_IPC_HOOK_CLI|VSCODE_GIT_\w+|GIT_ASKPASS|KUBECONFIG)$/

/** The command that starts `argv` in the sandbox, and its environment. The network is that of the machine. */
export function sandboxed(
  argv: readonly [string, ...string[]],
  view: SandboxView,
): { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> } {
  const { program, cwd, env } = view
  const shown = Object.fromEntries(Object.entries(env).filter(([name]) => !doors.test(name)))
  const places = toPlaces(view)
  const mounts = places.flatMap(({ how, from, path }) => (how === '--tmpfs' ? [how, path] : [how, from, path]))
  const closed = seenSockets(places).flatMap((path) => ['--ro-bind', '/dev/null', path])
  const start = ['--chdir', realOf(cwd) ?? cwd, '--', ...argv]
  return { argv: [program, ...isolation, ...mounts, ...closed, ...start], env: { ...shown, TMPDIR: ownTemporary } }
}

interface Place {
  readonly how: '--tmpfs' | '--bind' | '--ro-bind'
  /** Real path. */
  readonly from: string
  readonly path: string
}

/** What is to be mounted where, in order: whatever lies deeper comes later. */
function toPlaces(view: SandboxView): readonly Place[] {
  const hidden = hiddenFolders(view)
  const writable = realPaths(view.writable)
  const isIn = (folders: readonly string[], path: string): boolean =>
    folders.some((folder) => path === folder || isInside(path, folder))
  const places = new Map<string, Place>(hidden.map((path) => [path, { how: '--tmpfs', from: path, path }]))
  const add = (how: Place['how'], paths: readonly string[], folders?: readonly string[]): void => {
    for (const path of realPaths(paths)) {
      if (folders === undefined || isIn(folders, path)) places.set(path, { how, from: path, path })
    }
  }
  add('--ro-bind', neededAnyway(view), hidden)
  add('--bind', writable)
  add('--ro-bind', [...view.readable, view.cwd], [...hidden, ...writable])
  for (const link of linksIn([...neededAnyway(view), ...view.writable, ...view.readable], hidden)) {
    // A link in a folder that is there is there.
    const bound = [...places.values()].flatMap(({ how, path }) => (how === '--tmpfs' ? [] : [path]))
    const target = realOf(link)
    const place = target === undefined ? undefined : places.get(target)
    if (place !== undefined && !isIn(bound, link)) places.set(link, { ...place, path: link })
  }
  return [...places.values()].sort((one, other) => depthOf(one.path) - depthOf(other.path))
}

/** Paths into hidden folders that lead through a link, which is hidden, too. */
function linksIn(paths: readonly string[], hidden: readonly string[]): readonly string[] {
  const links = paths.filter((path) => hidden.some((folder) => isInside(path, folder)) && realOf(path) !== path)
  return [...new Set(links)]
}

function hiddenFolders({ env, readable, cwd }: SandboxView): readonly string[] {
  const own = env.TMPDIR === undefined || !isAbsolute(env.TMPDIR) ? [] : [env.TMPDIR]
  const needed = realPaths([...readable, cwd, env.HOME ?? '/'])
  // A project that is the folder for temporary files stays what it is.
  return realPaths([...sharedFolders, ...own]).filter((folder) => folder !== '/' && !needed.includes(folder))
}

/** Programs, the home and how hosts are found, should they lie in hidden folders. */
function neededAnyway({ env }: SandboxView): readonly string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  const names = ['/etc/resolv.conf', '/etc/hosts', '/etc/localtime']
  return [...folders, dirname(process.execPath), ...names, ...(env.HOME === undefined ? [] : [env.HOME])]
}

/** Sockets of the file system that somebody listens at: to see one is to be able to reach it. */
function seenSockets(places: readonly Place[]): readonly string[] {
  // The deepest place is the last.
  const placeOf = (file: string): Place | undefined => places.findLast(({ path }) => isInside(file, path))
  return realPaths(listeningSockets()).filter((file) => placeOf(file)?.how !== '--tmpfs')
}

const maxSockets = 1000

function listeningSockets(): readonly string[] {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n')
    const paths = lines.flatMap((line) => / (\/.*)$/.exec(line)?.[1] ?? [])
    return [...new Set(paths)].slice(0, maxSockets)
  } catch {
    return [] // The kernel does not tell.
  }
}

function realPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => realOf(path) ?? []))]
}

function realOf(path: string): string | undefined {
  try {
    return existsSync(path) ? realpathSync(path) : undefined
  } catch {
    return undefined // It cannot be reached by us either.
  }
}

function depthOf(path: string): number {
  return path === sep ? 0 : path.split(sep).length
}
