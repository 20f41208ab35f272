import { closeSync, lstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOnPath, isInside, statsOf } from '../../system/files/paths.ts'
import { runProgram } from '../../system/process/run-program.ts'
import { orNothing } from '../../system/error-facts.ts'

/** Whether programs can be put into a sandbox here, and by which program; `why` is the end of a sentence. */
export type Sandbox = { readonly ok: true; readonly program: string } | { readonly ok: false; readonly why: string }

/** What a program in the sandbox sees. All paths are absolute; those that do not exist are left out. */
export interface SandboxView {
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Files and folders that it may write. Where a path in `readable` is deeper, that cannot be written. */
  readonly writable: readonly string[]
  /** What has to stay in sight wherever it lies, also in folders that are hidden; not to be written. */
  readonly readable: readonly string[]
  /** Words that start other programs: their files stay in sight with what lies around them, and read-only. */
  readonly programs: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const trialTimeoutMs = 10_000
const sandboxes = new Map<string, Promise<Sandbox>>()

/** Starts bubblewrap once in the life of this process: a machine may forbid what it needs. */
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

/** Folders for sockets and for files of everybody. `isolation` hides the last one in any case. */
const sharedFolders = ['/tmp', '/var/tmp', '/run', '/var/run', '/dev/shm']
/** Where the folder for temporary files is in the sandbox: short, for the sake of sockets, and gone with it. */
const ownTemporary = ['/tmp', '/var/tmp', '/dev/shm']

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
  const hidden = hiddenFolders(view)
  const places = toPlaces(argv, { ...view, hidden })
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

interface HidingView extends SandboxView {
  readonly hidden: readonly string[]
}

/** What is to be mounted where, in order: whatever lies deeper comes later. */
function toPlaces(argv: readonly string[], view: HidingView): readonly Place[] {
  const { hidden } = view
  const writable = realPaths(view.writable)
  const places = new Map<string, Place>(hidden.map((path) => [path, { how: '--tmpfs', from: path, path }]))
  const add = (how: Place['how'], paths: readonly string[], isWanted: (path: string) => boolean): void => {
    for (const path of realPaths(paths)) if (isWanted(path)) places.set(path, { how, from: path, path })
  }
  const isHidden = (path: string): boolean => folderAround(path, hidden) !== undefined
  const readable = [...view.readable, view.cwd]
  const programs = programsOf(argv, view)
  const needed = neededAnyway(view)
  add('--ro-bind', needed, isHidden)
  add('--bind', writable, () => true)
  // A program in a folder that it may write is not to be written by itself.
  add('--ro-bind', surroundings(programs, [...hidden, ...writable]), () => true)
  add('--ro-bind', readable, (path) => isHidden(path) || isIn(writable, path))
  const ordered = byDepth(places)
  // A link in a folder that is in sight is there.
  const links = [...programs, ...needed, ...view.writable, ...readable].flatMap(linksOn)
  for (const { path, end } of links) {
    if (placeOf(path, ordered)?.how === '--tmpfs' && !places.has(path))
      places.set(path, { how: '--symlink', from: end, path })
  }
  return byDepth(places)
}

function byDepth(places: ReadonlyMap<string, Place>): readonly Place[] {
  const depthOf = ({ path }: Place): number => (path === sep ? 0 : path.split(sep).length)
  return [...places.values()].sort((one, other) => depthOf(one) - depthOf(other))
}

function placeOf(path: string, ordered: readonly Place[]): Place | undefined {
  return ordered.findLast((place) => isInside(path, place.path))
}

function hiddenFolders({ env, readable, cwd }: SandboxView): readonly string[] {
  const own = [tmpdir(), env.TMPDIR ?? '', env.XDG_RUNTIME_DIR ?? ''].filter((path) => isAbsolute(path))
  const needed = realPaths([...readable, cwd, env.HOME ?? '/'])
  // A project that is the folder for temporary files stays what it is.
  return realPaths([...sharedFolders, ...own]).filter((folder) => folder !== '/' && !needed.includes(folder))
}

/** The home, folders of programs, files that variables name and how hosts are found, should they lie in hidden folders. */
function neededAnyway({ env }: SandboxView): readonly string[] {
  const names = ['/etc/resolv.conf', '/etc/hosts', '/etc/localtime']
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  // Certificates, keys.
  const files = Object.values(env).filter((value) => isAbsolute(value) && isFile(value))
  return [...folders, ...files, ...names, ...(env.HOME === undefined ? [] : [env.HOME])]
}

/** All files of programs that are started: those of both command lines, what starts them, and Node. */
function programsOf(argv: readonly string[], view: HidingView): readonly string[] {
  const { programs, readable, writable } = view
  const known = realPaths([...readable, ...writable])
  // What else is named is no program: files that mdtest wrote, beside others that are nobody's business.
  const own = namedFiles(argv, view).filter((file) => !isIn(known, realOf(file) ?? file))
  const files = [...own, ...namedFiles(programs, view), process.execPath]
  return [...new Set([...files, ...interpretersOf(files, view)])]
}

/** Whatever has the name of a program counts, since nobody can know where its package begins. */
function surroundings(programs: readonly string[], folders: readonly string[]): readonly string[] {
  return realPaths(programs).flatMap((file) => {
    const folder = folderAround(file, folders)
    return folder === undefined ? [] : [join(folder, relative(folder, file).split(sep)[0] ?? '')]
  })
}

const maxSockets = 1000

/** Sockets of the file system that somebody listens at: to see one is to be able to reach it. */
function seenSockets(places: readonly Place[]): readonly string[] {
  const lines = orNothing(() => readFileSync('/proc/net/unix', 'utf8'))?.split('\n') ?? []
  const paths = lines.flatMap((line) => / (\/.*)$/.exec(line)?.[1] ?? [])
  const listening = realPaths([...new Set(paths)].slice(0, maxSockets))
  return listening.filter((file) => placeOf(file, places)?.how !== '--tmpfs')
}

interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Files and folders that words of a command line name, as absolute paths: `file`, `--flag=file`, a URL of a file. */
function namedFiles(words: readonly string[], { cwd, env }: Surroundings): readonly string[] {
  const names = words.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
  const paths = names.flatMap((name) => {
    const path = name.startsWith('file:') ? orNothing(() => fileURLToPath(name)) : name
    return path === undefined || path === '' ? [] : [resolve(cwd, path), ...onPath(path, { cwd, env })]
  })
  return [...new Set(paths)].filter((path) => realOf(path) !== undefined)
}

/** A program is a script, at most in so many steps: Linux goes no further. */
const maxScripts = 4

/** What starts these files, where they are scripts that tell it in their first line. */
function interpretersOf(files: readonly string[], place: Surroundings): readonly string[] {
  const found = new Set<string>()
  let next = files
  for (let step = 0; step < maxScripts; step += 1) {
    next = next.flatMap((file) => interpreters(file, place)).filter((file) => !found.has(file))
    for (const file of next) found.add(file)
  }
  return [...found]
}

function interpreters(file: string, place: Surroundings): readonly string[] {
  const words = firstLine(file)?.slice(2).trim().split(/\s+/) ?? []
  const [program = ''] = words
  if (basename(program) !== 'env') return isAbsolute(program) ? [program] : []
  return [program, ...words.slice(1).flatMap((word) => onPath(word, place))]
}

function firstLine(file: string): string | undefined {
  // To open a pipe is to wait.
  const opened = isFile(file) ? orNothing(() => openSync(file, 'r')) : undefined
  if (opened === undefined) return undefined
  const start = Buffer.alloc(256)
  orNothing(() => readSync(opened, start))
  closeSync(opened)
  const [line = ''] = start.toString('latin1').split('\n')
  return line.startsWith('#!') ? Buffer.from(line, 'latin1').toString('utf8') : undefined
}

function onPath(name: string, { cwd, env }: Surroundings): readonly string[] {
  if (name.includes(sep) || name.includes('\0')) return []
  const found = findOnPath(name, { path: env.PATH ?? '', cwd })
  return found === undefined ? [] : [found]
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true
}

/** Where a path leads to; `undefined` for what is not there, or cannot be reached by us either. */
function realOf(path: string): string | undefined {
  return orNothing(() => realpathSync(path))
}

function realPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => realOf(path) ?? []))]
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isInside(path, folder))
}

interface Link {
  readonly path: string
  readonly end: string
}

function linksOn(path: string): readonly Link[] {
  const links: Link[] = []
  let place: string = sep
  for (const name of path.split(sep)) {
    const next = join(place, name)
    const isLink = orNothing(() => lstatSync(next).isSymbolicLink())
    const end = isLink === true ? realOf(next) : next
    if (isLink === undefined || end === undefined) break
    place = end
    if (isLink) links.push({ path: next, end })
  }
  return links
}

/** The deepest of these real folders that a path is below; nothing where it is one of them. */
function folderAround(path: string, folders: readonly string[]): string | undefined {
  if (folders.includes(path)) return undefined
  return folders.filter((folder) => isInside(path, folder)).sort((one, other) => other.length - one.length)[0]
}
