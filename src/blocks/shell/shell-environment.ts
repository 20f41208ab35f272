import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']
export const passedOn = [
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  ...proxies,
  ...proxies.map((name) => name.toLowerCase()),
  // An outer mdtest finds the processes of an inner mdtest by these marks.
  'MDTEST_MARKS',
]

export interface ShellEnvironmentOptions {
  /** Environment of this process. The shell gets only a few of its variables. */
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** `TESTDIR`: the folder of the spec, or the same folder in the working copy. */
  readonly specDir: string
  /** `TESTROOT`: the root of the suite, or of the working copy. */
  readonly root: string
  /** The private directory that contains `TMPDIR`. */
  readonly tempDir: string
  readonly required: readonly string[]
  /** Variables of the spec, which override all others. */
  readonly extra: Readonly<Record<string, string>>
}

/** The shell's variables: the same on every machine except for PATH, HOME, USER, SHELL and proxies. */
export function shellEnvironment(options: ShellEnvironmentOptions): Record<string, string> {
  const { env, specDir, root, tempDir, required, extra } = options
  const temp = join(tempDir, 'tmp')
  mkdirSync(temp, { recursive: true, mode: 0o700 })
  return {
    ...pick(env, passedOn),
    TMPDIR: temp,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    COLUMNS: '80',
    TESTDIR: specDir,
    TESTROOT: root,
    ...pick(env, required),
    ...extra,
  }
}

/** Variables that bash sets itself, or that are useless to a program. */
const ofBash = ['PWD', 'OLDPWD', 'SHLVL', '_', 'TERM', 'HOSTNAME', 'IFS', 'RANDOM', 'SECONDS', 'OPTARG', 'OPTIND']

export function withheldVariables(options: Pick<ShellEnvironmentOptions, 'env' | 'required' | 'extra'>): Set<string> {
  const own = ['TMPDIR', 'LANG', 'TZ', 'COLUMNS', 'TESTDIR', 'TESTROOT']
  const given = new Set([...passedOn, ...own, ...ofBash, ...options.required, ...Object.keys(options.extra)])
  return new Set(Object.keys(options.env).filter((name) => !given.has(name)))
}

export function requiredVariables(requires: readonly string[]): readonly string[] {
  return requires.flatMap((need) => (need.startsWith('env:') ? [need.slice('env:'.length)] : []))
}

function pick(env: Readonly<NodeJS.ProcessEnv>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
