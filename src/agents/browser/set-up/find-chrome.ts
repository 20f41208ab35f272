import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Command } from '../../../system/process/command.ts'
import type { LiveTrees } from '../../../system/process/launcher/live-trees.ts'
import { runProgram } from '../../../system/process/run-program.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import { playwrightProgram } from '../playwright-server.ts'
import { runInTrees } from '../../../system/process/run-command.ts'
import { findOnPath } from '../../../system/files/paths.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where and how a browser is installed. */
export interface InstallContext {
  /** What has to end with us: a download goes on for minutes. */
  readonly trees: LiveTrees
  /** Told that an installation begins, one sentence. */
  readonly tell?: (sentence: string) => void
}

/** For some 200 MB. */
const hardTimeoutMs = 600_000
const graceMs = 1000

/**
 * Absolute path of the Chromium of Playwright, which is installed where it is not there yet.
 * @throws {MdtestError} `AGENT_BROWSER_MISSING` where that fails.
 */
export async function installChrome(env: Environment, { trees, tell }: InstallContext): Promise<string> {
  const playwright = join(dirname(createRequire(playwrightProgram()).resolve('playwright-core/package.json')))
  const known = await executablePath(playwright, env)
  if (isInstalled(known)) return known
  tell?.("There is no Chrome or Chromium: Playwright's is installed now, which may take some minutes.")
  // Chromium itself can do without a window: its smaller sister is not needed.
  const command: Command = {
    argv: [process.execPath, join(playwright, 'cli.js'), 'install', 'chromium', '--no-shell'],
    cwd: dirname(playwright),
    env: withoutUndefined<Record<string, string>>(env),
  }
  const { end, tail } = await runInTrees(command, { trees, hardTimeoutMs, graceMs })
  if (end.reason === 'exit' && end.exitCode === 0 && isInstalled(known)) return known
  throw missing(tail)
}

/** Asked in a process of its own: the package would stay loaded. */
async function executablePath(playwright: string, env: Environment): Promise<string> {
  const program = `process.stdout.write(require(${JSON.stringify(playwright)}).chromium.executablePath())`
  const argv = [process.execPath, '-e', program] as const
  const { stdout, stderr, failure } = await runProgram(argv, { cwd: dirname(playwright), env })
  if (failure !== undefined) throw missing(stderr.toString())
  return stdout.toString()
}

/** The installer leaves a mark at the end: without it a program that is there may be half of one. */
function isInstalled(program: string): boolean {
  if (!existsSync(program)) return false
  for (let folder = dirname(program); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'INSTALLATION_COMPLETE'))) return true
  }
  return false
}

const maxReasonCharacters = 300

function missing(output: string): MdtestError {
  const lines = output.split('\n').filter((line) => /error|fail/i.test(line))
  const reason = lines.find((line) => line.includes('Download failed')) ?? lines.at(-1) ?? ''
  // The body of an answer may be a whole page.
  const short = reason
    .replace(/^(?:Error: )+/, '')
    .replace(/ body '.*'(?=\. URL)/, '')
    .trim()
  const why = short === '' ? '' : ` (${short.slice(0, maxReasonCharacters)})`
  return new MdtestError(
    'AGENT_BROWSER_MISSING',
    `There is no Chrome or Chromium, and Playwright could not install one${why}.`,
    { hint: 'Install Chrome or Chromium, or run `npx playwright install chromium`.' },
  )
}

/** Where programs are looked for. */
interface ProgramPlaces {
  /** Absolute paths, the first that is there counts. */
  readonly usual: readonly string[]
  /** Value of PATH. */
  readonly path: string
}

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome']

/** Absolute path of the system's Chrome or Chromium: at the usual places, then on PATH. */
export function findChrome({ usual, path }: ProgramPlaces): string | undefined {
  return [...usual, ...names].map((name) => findOnPath(name, { path, cwd: '/' })).find((file) => file !== undefined)
}

/** Where installers put Chrome and Chromium. */
export function usualPlaces(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (process.platform !== 'darwin') {
    return ['/opt/google/chrome/chrome', ...names.map((name) => join('/usr/bin', name)), '/snap/bin/chromium']
  }
  const folders = ['/Applications', ...(env.HOME === undefined ? [] : [join(env.HOME, 'Applications')])]
  return folders.flatMap((folder) =>
    ['Google Chrome', 'Chromium'].map((app) => join(folder, `${app}.app`, 'Contents/MacOS', app)),
  )
}
