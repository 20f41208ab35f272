import { closeSync, lstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOnPath, isInside, statsOf } from '../../system/files/paths.ts'
import { runProgram } from '../../system/process/run-program.ts'
import { orNothing } from '../../system/error-facts.ts'

/** The sandbox program of this machine. `why`: the reason for having none, as the end of a sentence. */
export type Sandbox = { readonly ok: true; readonly program: string } | { readonly ok: false; readonly why: string }

/** What a program in the sandbox sees. All paths are absolute; missing files are skipped. */
export interface SandboxView {
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Files and folders that the program may write. Paths below them that are in `readable` stay read-only. */
  readonly writable: readonly string[]
  /** Read-only files and folders that stay visible, even inside hidden folders. */
  readonly readable: readonly string[]
  /** Words of commands that start other programs. These programs stay visible, with the files around them. */
  readonly programs: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const trialTimeoutMs = 10_000
const sandboxes = new Map<string, Promise<Sandbox>>()

/** Tests once per process whether bubblewrap works, because some machines forbid what it needs. */
export async function findSandbox({ PATH: path = '' }: Environment): Promise<Sandbox> {
  if (process.platform !== 'linux') return { ok: false, why: 'bubblewrap is for Linux alone' }
  const program = findOnPath('bwrap', { path, cwd: '/' })
  if (program === undefined) return { ok: false, why: 'bubblewrap (`bwrap`) is not installed' }
  const known = sandboxes.get(program) ?? tryOut(program)
  sandboxes.set(program, known)
  return known
}

async function tryOut(program: string): Promise<Sandbox> {
  const argv = [program, ...isolation, '--tmpfs', '/tmp', '--', 'true'] as const
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  const { stderr, failure } = await runProgram([...argv], { cwd: '/', env, timeoutMs: trialTimeoutMs })
  if (failure === undefined) return { ok: true, program }
  const said = stderr.toString().trim().split('\n').at(-1) || failure.message
  return { ok: false, why: `bubblewrap does not work here (${said})` }
}

/** All files are read-only, processes and shared memory are separate, and root loses its rights. */
const isolation = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  // Kernel files that root could write even without special rights.
  ...['sys', 'sysrq-trigger', 'scsi', 'mtrr', 'acpi'].flatMap((name) => [
    '--ro-bind-try',
    `/proc/${name}`,
    `/proc/${name}`,
  ]),
  ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
  '--die-with-parent',
]

/** Folders with sockets or files of other programs. `isolation` always hides `/dev/shm`. */
const sharedFolders = ['/tmp', '/var/tmp', '/run', '/var/run', '/dev/shm']
/** Folders for `TMPDIR` in the sandbox. Short paths, because Linux limits socket paths to about 100 characters. */
const ownTemporary = ['/tmp', '/var/tmp', '/dev/shm']

/** Variables that lead to programs outside of the sandbox, such as ssh-agent or Docker. */
const socketVariables =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|CONTAINER_HOST|TMUX|TMUX_PANE|TMUX_TMPDIR|STY|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|VSCODE_IPC_HOOK_CLI|VSCODE_GIT_\w+|GIT_ASKPASS|KUBECONFIG)$/

/** The command that starts `argv` in the sandbox, and its environment. The network is not restricted. */
export function sandboxed(
  argv: readonly [string, ...string[]],
  view: SandboxView,
): { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> } {
  const { program, cwd, env } = view
  const shown = Object.fromEntries(Object.entries(env).filter(([name]) => !socketVariables.test(name)))
  const hidden = hiddenFolders(view)
  const places = toPlaces(argv, view, hidden)
  const mounts = places.flatMap(({ how, from, path }) => (how === '--tmpfs' ? [how, path] : [how, from, path]))
  const closed = seenSockets(places).flatMap((path) => ['--ro-bind', '/dev/null', path])
  const start = ['--chdir', realOf(cwd) ?? cwd, '--', ...argv]
  const temporary = ownTemporary.find((folder) => hidden.includes(folder))
  return {
    argv: [program, ...isolation, ...mounts, ...closed, ...start],
    env: { ...shown, ...(temporary !== undefined && { TMPDIR: temporary }) },
  }
}

interface Place {
  readonly how: '--tmpfs' | '--bind' | '--ro-bind' | '--symlink'
  readonly from: string
  readonly path: string
}

/** Mounts in their order. A deeper path comes later, so that it is not hidden again. */
function toPlaces(argv: readonly string[], view: SandboxView, hidden: readonly string[]): readonly Place[] {
  const writable = realPaths(view.writable)
  const places = new Map<string, Place>(hidden.map((path) => [path, { how: '--tmpfs', from: path, path }]))
  const add = (how: Place['how'], paths: readonly string[]): void => {
    for (const path of paths) places.set(path, { how, from: path, path })
  }
  const isHidden = (path: string): boolean => folderAround(path, hidden) !== undefined
  const readable = [...view.readable, view.cwd]
  const programs = programsOf(argv, view)
  const needed = neededAnyway(view)
  add('--ro-bind', realPaths(needed).filter(isHidden))
  add('--bind', writable)
  // Files of a program must stay read-only, even in folders that the program may write.
  add('--ro-bind', surroundings(programs, [...hidden, ...writable]))
  const kept = realPaths(readable).filter((path) => isHidden(path) || isIn(writable, path))
  add('--ro-bind', kept)
  const ordered = byDepth(places)
  // Recreate the links in hidden folders, because such a folder hides its links, too.
  const links = [...programs, ...needed, ...view.writable, ...readable].flatMap(linksOn)
  for (const link of links)
    if (decidingPlace(link.path, ordered)?.how === '--tmpfs' && !places.has(link.path)) places.set(link.path, link)
  return byDepth(places)
}

function byDepth(places: ReadonlyMap<string, Place>): readonly Place[] {
  return [...places.values()].sort((one, other) => one.path.length - other.path.length)
}

function decidingPlace(path: string, ordered: readonly Place[]): Place | undefined {
  return ordered.findLast((place) => isInside(path, place.path))
}

function hiddenFolders({ env, readable, cwd }: SandboxView): readonly string[] {
  const own = [tmpdir(), env.TMPDIR ?? '', env.XDG_RUNTIME_DIR ?? ''].filter((path) => isAbsolute(path))
  const needed = realPaths([...readable, cwd, env.HOME ?? '/'])
  // Do not hide a temporary folder that is itself the project, the working directory or HOME.
  return realPaths([...sharedFolders, ...own]).filter((folder) => folder !== '/' && !needed.includes(folder))
}

/** Paths that stay visible inside hidden folders: HOME, PATH folders, files in variables, DNS and time zone. */
function neededAnyway({ env }: SandboxView): readonly string[] {
  const names = ['/etc/resolv.conf', '/etc/hosts', '/etc/localtime']
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  // Files that variables name, such as certificates and keys.
  const files = Object.values(env).filter((value) => isAbsolute(value) && isFile(value))
  return [...folders, ...files, ...names, ...(env.HOME === undefined ? [] : [env.HOME])]
}

/** Files of all programs: in `argv`, in `programs`, interpreters of scripts, and Node.js. */
function programsOf(argv: readonly string[], view: SandboxView): readonly string[] {
  const { programs, readable, writable } = view
  const known = realPaths([...readable, ...writable])
  // Leave out mdtest's own files in `argv`, because the whole folder around a program becomes visible.
  const own = namedFiles(argv, view).filter((file) => !isIn(known, realOf(file) ?? file))
  const files = [...own, ...namedFiles(programs, view), process.execPath]
  return [...new Set([...files, ...interpretersOf(files, view)])]
}

/** Folders to show around programs. For `/tmp/tool/bin/run` in the hidden folder `/tmp`, this is `/tmp/tool`. */
function surroundings(programs: readonly string[], folders: readonly string[]): readonly string[] {
  return realPaths(programs).flatMap((file) => {
    const folder = folderAround(file, folders)
    return folder === undefined ? [] : [join(folder, relative(folder, file).split(sep)[0] ?? '')]
  })
}

const maxSockets = 1000

/** Visible sockets with a listening program. A program in the sandbox could use them to get out. */
function seenSockets(places: readonly Place[]): readonly string[] {
  const lines = orNothing(() => readFileSync('/proc/net/unix', 'utf8'))?.split('\n') ?? []
  const paths = lines.flatMap((line) => / (\/.*)$/.exec(line)?.[1] ?? [])
  const listening = realPaths([...new Set(paths)].slice(0, maxSockets))
  return listening.filter((file) => decidingPlace(file, places)?.how !== '--tmpfs')
}

type Surroundings = Pick<SandboxView, 'cwd' | 'env'>

/** Absolute paths of files and folders that a command line names: `file`, `--flag=file`, or the URL of a file. */
function namedFiles(words: readonly string[], { cwd, env }: Surroundings): readonly string[] {
  const names = words.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
  const paths = names.flatMap((name) => {
    const path = name.startsWith('file:') ? orNothing(() => fileURLToPath(name)) : name
    return path === undefined || path === '' ? [] : [resolve(cwd, path), ...onPath(path, { cwd, env })]
  })
  return [...new Set(paths)].filter((path) => realOf(path) !== undefined)
}

/** The interpreter of a script can be a script itself. Linux follows four such steps. */
function interpretersOf(files: readonly string[], place: Surroundings, depth = 4): readonly string[] {
  if (depth === 0) return []
  const found = [...new Set(files.flatMap((file) => interpreters(file, place)))]
  return [...found, ...interpretersOf(found, place, depth - 1)]
}

function interpreters(file: string, place: Surroundings): readonly string[] {
  const words = firstLine(file)?.slice(2).trim().split(/\s+/) ?? []
  const [program = ''] = words
  if (basename(program) !== 'env') return isAbsolute(program) ? [program] : []
  return [program, ...words.slice(1).flatMap((word) => onPath(word, place))]
}

function firstLine(file: string): string | undefined {
  // Opening a pipe would wait for a writer, so only regular files are opened.
  const opened = isFile(file) ? orNothing(() => openSync(file, 'r')) : undefined
  if (opened === undefined) return undefined
  const start = Buffer.alloc(256)
  orNothing(() => readSync(opened, start))
  closeSync(opened)
  const [line = ''] = start.toString('latin1').split('\n')
  return line.startsWith('#!') ? Buffer.from(line, 'latin1').toString('utf8') : undefined
}

function onPath(name: string, { cwd, env }: Surroundings): readonly string[] {
  const found = findOnPath(name, { path: env.PATH ?? '', cwd })
  return found === undefined ? [] : [found]
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true
}

function realOf(path: string): string | undefined {
  return orNothing(() => realpathSync(path))
}

function realPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => realOf(path) ?? []))]
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isInside(path, folder))
}

function linksOn(path: string): readonly Place[] {
  const links: Place[] = []
  let place: string = sep
  for (const name of path.split(sep)) {
    const next = join(place, name)
    const isLink = orNothing(() => lstatSync(next).isSymbolicLink())
    const end = isLink === true ? realOf(next) : next
    if (isLink === undefined || end === undefined) break
    place = end
    if (isLink) links.push({ how: '--symlink', from: end, path: next })
  }
  return links
}

/** The deepest folder in the list that contains `path`; `undefined` if `path` itself is in the list. */
function folderAround(path: string, folders: readonly string[]): string | undefined {
  if (folders.includes(path)) return undefined
  return folders.filter((folder) => isInside(path, folder)).sort((one, other) => other.length - one.length)[0]
}
