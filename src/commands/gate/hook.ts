import { lstat, mkdir, readFile, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { errorCode } from '../../system/error-facts.ts'
import { realPathOf } from '../../system/files/trusted-folder.ts'
import { isInside } from '../../system/files/paths.ts'
import { rewriteFile } from '../../system/files/write-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { runProgram } from '../../system/process/run-program.ts'
import { singleQuoted } from '../../system/text/shell-and-regex-quotes.ts'

export interface HookPlace {
  readonly folder: string
  readonly workTree: string
  /** Whether the hooks are in `.git`. Other hooks are shared with everybody who uses the repository. */
  readonly isPrivate: boolean
}

/** Git runs these hooks before a commit. `revert`, `cherry-pick` and `rebase` run only `prepare-commit-msg`. */
export const hooks = ['pre-commit', 'pre-merge-commit', 'pre-applypatch', 'prepare-commit-msg'] as const

/** Finds git's hooks, even in linked work trees or with `core.hooksPath`. @throws MdtestError `OPTION_HOOK` */
export async function findHook(root: string, env: Readonly<Record<string, string>>): Promise<HookPlace> {
  const workTree = await askUserGit(['--show-toplevel'], { folder: root, env })
  const asked = await askUserGit(['--git-path', 'hooks', '--git-common-dir'], { folder: workTree, env })
  const [folder = '', common = ''] = asked.split('\n').map((path) => resolve(workTree, path))
  const isPrivate = isInside(realPathOf(folder), realPathOf(common))
  if (!isPrivate && !isInside(realPathOf(folder), workTree)) {
    throw hookError(
      `\`core.hooksPath\` leads out of the repository, to ${folder}, which other repositories may share.`,
      'Have that hook run `npx --no-install vitest-mdtest gate`, or set `core.hooksPath` for this repository.',
    )
  }
  return { folder, workTree, isPrivate }
}

interface HookOptions {
  readonly root: string
  readonly configFile?: string | undefined
  /** Paths for the hook, because some git clients start hooks without the user's PATH. */
  readonly machine: Record<'nodeFolder' | 'program', string>
}

/** @returns hooks of the user, which are not replaced. @throws MdtestError `OPTION_HOOK` if one is `pre-commit` */
export async function installHook(
  { folder, workTree, isPrivate }: HookPlace,
  options: HookOptions,
): Promise<readonly string[]> {
  const { root, configFile, machine } = options
  const project = relative(workTree, root)
  const config = configFile === undefined ? '' : ` --config ${singleQuoted(relative(root, configFile))}`
  const gate = `gate --fix-attempts 0 --no-execution-log${config}`
  // A shared hook must not contain paths that exist only on this machine.
  const text = formatHook(gate, project, isPrivate ? machine : undefined)
  const foreign: string[] = []
  await mkdir(folder, { recursive: true })
  for (const file of hooks.map((name) => join(folder, name))) {
    if ((await ownerOf(file)) !== 'user') rewriteFile(file, text, { newMode: 0o755 })
    else if (file.endsWith(hooks[0])) {
      const command = `npx --no-install vitest-mdtest ${gate}`
      const line = project === '' ? command : `(cd ${singleQuoted(project)} && ${command})`
      throw hookError(
        `${file} is a hook of yours, and stays as it is.`,
        `Put this line into it, before any line that may end it (with Husky: into \`.husky/pre-commit\`):\n\n${line} || exit 1\n`,
      )
    } else foreign.push(file)
  }
  return foreign
}

export async function removeHook({ folder }: HookPlace): Promise<boolean> {
  let isFound = false
  for (const file of hooks.map((name) => join(folder, name))) {
    if ((await ownerOf(file)) !== 'us') continue
    await rm(file)
    isFound = true
  }
  return isFound
}

async function ownerOf(file: string): Promise<'us' | 'user' | undefined> {
  try {
    return (await readFile(file, 'utf8')).startsWith(beginning) ? 'us' : 'user'
  } catch (error: unknown) {
    // A broken link belongs to the user, too, so it is not replaced.
    if (errorCode(error) === 'ENOENT' && (await lstat(file).catch(() => undefined)) === undefined) return undefined
    throw hookError(`${file} cannot be read.`, 'Make it readable, or remove it.')
  }
}

/** Runs git with the settings of the user, which may say where hooks are. */
async function askUserGit(
  questions: readonly string[],
  { folder, env }: { folder: string; env: Readonly<Record<string, string>> },
): Promise<string> {
  const { stdout, stderr, failure } = await runProgram(['git', 'rev-parse', ...questions], { cwd: folder, env })
  if (failure === undefined) return stdout.toString().trimEnd()
  const why = stderr.toString().trim() || failure.message
  throw hookError(
    `There is no work tree of git at ${folder} (${why}).`,
    'Run `git init` there, or call this in a repository.',
  )
}

function hookError(message: string, hint: string): MdtestError {
  return new MdtestError('OPTION_HOOK', message, { hint })
}

const beginning = '#!/bin/sh\n# Written by `mdtest gate --hook`; `mdtest gate --hook --remove` removes it.\n'

function formatHook(gate: string, project: string, machine: HookOptions['machine'] | undefined): string {
  const program = machine && singleQuoted(machine.program)
  const lines = [
    `run() { "$@" && exit; echo 'Not committed. \`git commit --no-verify\` goes without the gates.' >&2; exit 1; }`,
    // In `commit` and `merge`, an earlier hook has already run the gates. A rebase runs only this hook.
    'case $0 in *prepare-commit-msg)',
    '  [ -d "$(git rev-parse --git-path rebase-merge)" ] || ! ps -o args= -p $PPID |',
    "    grep -qE '^([^ ]*/)?git( -[cC] [^ ]+| -[^ ]+)* (commit|merge)( |$)' || exit 0 ;;",
    'esac',
    ...(project === '' ? [] : [`cd ${singleQuoted(project)} || exit 1`]),
    ...(machine === undefined ? [] : [`PATH="$PATH":${singleQuoted(machine.nodeFolder)}`, 'export PATH']),
    'for folder in . .. ../.. ../../.. ../../../..; do',
    '  mdtest="$folder/node_modules/.bin/vitest-mdtest"',
    `  if [ -f "$mdtest" ]; then run "$mdtest" ${gate}; fi`,
    'done',
    ...(program === undefined ? [] : [`if [ -f ${program} ]; then run node ${program} ${gate}; fi`]),
    `run npx --no-install vitest-mdtest ${gate}`,
  ]
  return `${beginning}${lines.join('\n')}\n`
}
