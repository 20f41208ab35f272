import { lstat, mkdir, readFile, realpath, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { errorCode } from '../../system/error-facts.ts'
import { isInside } from '../../system/files/paths.ts'
import { rewriteFile } from '../../system/files/write-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { runProgram } from '../../system/process/run-program.ts'
import { singleQuoted } from '../../system/text/quoting.ts'

export interface HookPlace {
  readonly file: string
  readonly workTree: string
  /** Whether the file is git's own and nobody else gets it. */
  readonly isPrivate: boolean
}

/**
 * Finds the pre-commit hook of the repository that a folder is in, also of a linked work tree or with
 * `core.hooksPath`.
 * @throws MdtestError `OPTION_HOOK`
 */
export async function findHook(folder: string, env: Readonly<Record<string, string>>): Promise<HookPlace> {
  const workTree = await askGit(['--show-toplevel'], { folder, env })
  const asked = await askGit(['--git-path', 'hooks', '--git-common-dir'], { folder: workTree, env })
  const [hooks = '', common = ''] = asked.split('\n').map((path) => resolve(workTree, path))
  const isPrivate = isInside(await real(hooks), await real(common))
  if (!isPrivate && !isInside(await real(hooks), workTree)) {
    throw hookError(
      `\`core.hooksPath\` leads out of the repository, to ${hooks}, whose hooks other repositories have, too.`,
      'Have that hook run `npx --no-install vitest-mdtest gate`, or set `core.hooksPath` for this repository.',
    )
  }
  return { file: join(hooks, 'pre-commit'), workTree, isPrivate }
}

interface HookOptions {
  readonly root: string
  readonly configFile?: string | undefined
  /** A folder with `node`, for clients of git that start hooks without the user's PATH, and our program. */
  readonly machine: Record<'nodeFolder' | 'program', string>
}

/**
 * Writes a hook that runs the gates, where there is none but ours.
 * @throws MdtestError `OPTION_HOOK` with the line to paste into a hook of the user's
 */
export async function installHook({ file, workTree, isPrivate }: HookPlace, options: HookOptions): Promise<void> {
  const { root, configFile, machine } = options
  const project = relative(workTree, root)
  const config = configFile === undefined ? '' : ` --config ${singleQuoted(relative(root, configFile))}`
  const gate = `gate --fix-attempts 0 --no-execution-log${config}`
  const old = await readHook(file)
  if (old !== undefined && !isOwnHook(old)) {
    const command = `npx --no-install vitest-mdtest ${gate}`
    const line = project === '' ? command : `(cd ${singleQuoted(project)} && ${command})`
    throw hookError(
      `${file} is a hook of yours, and stays as it is.`,
      `Put this line into it, before what may end it (with Husky: into \`.husky/pre-commit\`):\n\n${line} || exit 1\n`,
    )
  }
  await mkdir(dirname(file), { recursive: true })
  // A hook that others get, too, knows nothing of this machine.
  rewriteFile(file, formatHook(gate, project, isPrivate ? machine : undefined), { newMode: 0o755 })
}

export async function removeHook({ file }: HookPlace): Promise<boolean> {
  const old = await readHook(file)
  if (old === undefined || !isOwnHook(old)) return false
  await rm(file)
  return true
}

async function readHook(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
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

const beginning =
  '#!/bin/sh\n# Written by `mdtest gate --hook`; `mdtest gate --hook --remove` removes it.\n# No commit with red tests. `git commit --no-verify` goes without.\n'

function isOwnHook(hook: string): boolean {
  return hook.startsWith(beginning.split('\n', 2).join('\n'))
}

function formatHook(gate: string, project: string, machine: HookOptions['machine'] | undefined): string {
  const program = machine && singleQuoted(machine.program)
  const lines = [
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
