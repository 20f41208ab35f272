import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']
const passedOn = [
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  ...proxies,
  ...proxies.map((name) => name.toLowerCase()),
  // So that an outer mdtest finds the processes of an inner one.
  'MDTEST_MARKS',
]

export interface ShellEnvironmentOptions {
  /** Environment of this process. */
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** Absolute path of the directory of the spec; `TESTDIR`. */
  readonly specDir: string
  /** Absolute path of the suite root; `TESTROOT`. */
  readonly root: string
  /** Absolute path of an existing private directory; `TMPDIR` is made in it. */
  readonly tempDir: string
  /** Variables to pass on besides: those that `requires: env:…` names. */
  readonly required: readonly string[]
  /** What the spec names itself; wins over everything else. */
  readonly extra: Readonly<Record<string, string>>
}

/**
 * The environment of a scenario's shell: the same on every machine but for who and where the user is (PATH, HOME,
 * USER, SHELL, proxies), so that a spec that passes here passes elsewhere.
 */
export function shellEnvironment({
  env,
  specDir,
  root,
  tempDir,
  required,
  extra,
}: ShellEnvironmentOptions): Record<string, string> {
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

/** Set by bash itself, or of no use to a program. */
const ofBash = ['PWD', 'OLDPWD', 'SHLVL', '_', 'TERM', 'HOSTNAME', 'IFS', 'RANDOM', 'SECONDS', 'OPTARG', 'OPTIND']

/** Names of the variables of this process that `shellEnvironment` leaves out. */
export function withheldVariables(options: Pick<ShellEnvironmentOptions, 'env' | 'required' | 'extra'>): Set<string> {
  const own = ['TMPDIR', 'LANG', 'TZ', 'COLUMNS', 'TESTDIR', 'TESTROOT']
  const given = new Set([...passedOn, ...own, ...ofBash, ...options.required, ...Object.keys(options.extra)])
  return new Set(Object.keys(options.env).filter((name) => !given.has(name)))
}

/** Names of the variables that a spec requires. */
export function requiredVariables(requires: readonly string[]): readonly string[] {
  return requires.flatMap((need) => (need.startsWith('env:') ? [need.slice('env:'.length)] : []))
}

function pick(env: Readonly<NodeJS.ProcessEnv>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
