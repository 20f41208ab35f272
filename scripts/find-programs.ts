// `scripts/start scripts/find-programs.ts`: finds the programs that tests need and links them in `.cache/programs`,
// the first folder on the PATH of every test. Prints the Debian packages of missing programs, one per line.
//
// A program counts as found only if it runs in the environment of the tests. The shim of a version manager may be on
// PATH but fail there, because many tests use their own home directory.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Program {
  readonly name: string
  /** The Debian package */
  readonly package: string
  /** Arguments for a trial run, for example `--version`. Default: no trial run, the file must only exist */
  readonly question?: readonly string[]
  /** Set to `user` if its tests use the user's home directory. Default: their own home directory */
  readonly home?: 'user'
}

const programs: readonly Program[] = [
  { name: 'bash', package: 'bash', question: ['--version'] },
  { name: 'bwrap', package: 'bubblewrap', question: ['--version'] },
  { name: 'ps', package: 'procps' },
  { name: 'mkfifo', package: 'coreutils' },
  { name: 'stty', package: 'coreutils' },
  { name: 'tmux', package: 'tmux', question: ['-V'] },
  { name: 'chromium', package: 'chromium', question: ['--version'] },
  { name: 'Xvfb', package: 'xvfb' },
  { name: 'xwininfo', package: 'x11-utils' },
  { name: 'pytest', package: 'python3-pytest', question: ['--version'] },
  { name: 'go', package: 'golang-go', question: ['version'] },
  { name: 'cargo', package: 'cargo', question: ['--version'], home: 'user' },
]
const answerTimeoutMs = 30_000

const folder = fileURLToPath(new URL('../.cache/programs', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'mdtest-home-'))
const systemFolders = ['/usr/local/bin', '/usr/bin', '/bin']
// System folders first, because system packages are the same on every machine.
const candidates = [...new Set([...systemFolders, ...(process.env.PATH ?? '').split(delimiter)])].filter(
  (each) => each !== '' && each !== folder,
)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const missing = new Set<string>()
try {
  for (const program of programs) {
    const file = candidates.map((each) => join(each, program.name)).find((each) => answers(each, program))
    if (file === undefined) missing.add(program.package)
    else symlinkSync(file, join(folder, program.name))
  }
  linkNode()
} finally {
  rmSync(home, { recursive: true, force: true })
}
for (const name of missing) console.log(name)

/** Links node, npm and npx of the running installation if those on PATH (shims) do not work with another home. */
function linkNode(): void {
  for (const name of ['node', 'npm', 'npx']) {
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() }
    if (spawnSync(name, ['--version'], { env, stdio: 'ignore', timeout: answerTimeoutMs }).status === 0) continue
    const file = join(dirname(process.execPath), name)
    if (existsSync(file)) symlinkSync(file, join(folder, name))
  }
}

function answers(file: string, { question, home: whose }: Program): boolean {
  try {
    accessSync(file, constants.X_OK)
  } catch {
    return false
  }
  if (question === undefined) return true
  const env = whose === 'user' ? process.env : { PATH: systemFolders.join(delimiter), HOME: home, TMPDIR: tmpdir() }
  return spawnSync(file, question, { env, stdio: 'ignore', timeout: answerTimeoutMs }).status === 0
}
