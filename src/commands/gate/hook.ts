import { lstat, mkdir, readFile, realpath, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { errorCode } from '../../system/error-facts.ts'
import { isInside } from '../../system/files/paths.ts'
import { rewriteFile } from '../../system/files/write-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { runProgram } from '../../system/process/run-program.ts'
import { singleQuoted } from '../../system/text/quoting.ts'

export interface HookPlace {
  readonly folder: string
  readonly workTree: string
  /** Whether the folder is git's own and nobody else gets what is in it. */
  readonly isPrivate: boolean
}

/** Those that git runs before it makes a commit; the last one by `revert`, `cherry-pick` and `rebase`, which run no other. */
const hooks = ['pre-commit', 'pre-merge-commit', 'pre-applypatch', 'prepare-commit-msg'] as const // the first is asked for

/** Also of a linked work tree, or with `core.hooksPath`. @throws MdtestError `OPTION_HOOK` */
export async function findHook(root: string, env: Readonly<Record<string, string>>): Promise<HookPlace> {
  const workTree = await askGit(['--show-toplevel'], { folder: root, env })
  const asked = await askGit(['--git-path', 'hooks', '--git-common-dir'], { folder: workTree, env })
  const [folder = '', common = ''] = asked.split('\n').map((path) => resolve(workTree, path))
  const isPrivate = isInside(await real(folder), await real(common))
  if (!isPrivate && !isInside(await real(folder), workTree)) {
    throw hookError(
      `\`core.hooksPath\` leads out of the repository, to ${folder}, whose hooks other repositories have, too.`,
      'Have that hook run `npx --no-install vitest-mdtest gate`, or set `core.hooksPath` for this repository.',
    )
  }
  return { folder, workTree, isPrivate }
}

interface HookOptions {
  readonly root: string
  readonly configFile?: string | undefined
  /** A folder with `node`, for clients of git that start hooks without the user's PATH, and our program. */
  readonly machine: Record<'nodeFolder' | 'program', string>
}

/** @returns hooks of others, which stay. @throws MdtestError `OPTION_HOOK` for a pre-commit hook of the user's */
export async function installHook(
  { folder, workTree, isPrivate }: HookPlace,
  options: HookOptions,
): Promise<readonly string[]> {
  const { root, configFile, machine } = options
  const project = relative(workTree, root)
  const config = configFile === undefined ? '' : ` --config ${singleQuoted(relative(root, configFile))}`
  const gate = `gate --fix-attempts 0 --no-execution-log${config}`
  // A hook that others get, too, knows nothing of this machine.
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
        `Put this line into it, before what may end it (with Husky: into \`.husky/pre-commit\`):\n\n${line} || exit 1\n`,
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
    // A link that leads nowhere is somebody's, too.
    if (errorCode(error) === 'ENOENT' && (await lstat(file).catch(() => undefined)) === undefined) return undefined
    throw hookError(`${file} cannot be read.`, 'Make it readable, or remove it.')
  }
}

async function real(path: string): Promise<string> {
  return await realpath(path).catch(() => path) // It is not there.
}

/** The user's git with its settings, which say where hooks are. */
async function askGit(
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
    '# No commit with red tests. `git commit --no-verify` goes without.',
    // `git commit` and `git merge` have run the gates before; for each step of a rebase git leaves the others out.
    'case $0 in *prepare-commit-msg)',
    '  [ -d "$(git rev-parse --git-path rebase-merge)" ] || ! ps -o args= -p $PPID |',
    "    grep -qE '^([^ ]*/)?git( -[cC] [^ ]+| -[^ ]+)* (commit|merge)( |$)' || exit 0 ;;",
    'esac',
    ...(project === '' ? [] : [`cd ${singleQuoted(project)} || exit 1`]),
    ...(machine === undefined ? [] : [`PATH="$PATH":${singleQuoted(machine.nodeFolder)}`, 'export PATH']),
    'for folder in . .. ../.. ../../.. ../../../..; do',
    '  mdtest="$folder/node_modules/.bin/vitest-mdtest"',
    `  if [ -f "$mdtest" ]; then exec "$mdtest" ${gate}; fi`,
    'done',
    ...(program === undefined ? [] : [`if [ -f ${program} ]; then exec node ${program} ${gate}; fi`]),
    `exec npx --no-install vitest-mdtest ${gate}`,
  ]
  return `${beginning}${lines.join('\n')}\n`
}
