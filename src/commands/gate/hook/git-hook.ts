import { lstat, mkdir, readFile, realpath, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { isInside } from '../../../system/files/paths.ts'
import { rewriteFile } from '../../../system/files/write-file.ts'
import { runProgram } from '../../../system/process/run-program.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { formatHook, hookLine, isOwnHook, type Machine } from './hook-script.ts'
import { errorCode } from '../../../system/error-facts.ts'

/** Where the hook is. */
export interface HookPlace {
  /** Absolute path of the file. */
  readonly file: string
  /** Absolute path of the work tree. */
  readonly workTree: string
  /** Whether the file is git's own and nobody else gets it. */
  readonly isPrivate: boolean
}

/**
 * Finds the pre-commit hook of the repository that a folder is in, also of a linked work tree or with `core.hooksPath`.
 *
 * @param folder absolute path
 * @throws MdtestError `OPTION_HOOK`
 */
export async function findHook(folder: string, env: Readonly<Record<string, string>>): Promise<HookPlace> {
  const ask = async (...args: string[]): Promise<string> => await askGit(args, { folder, env })
  const workTree = await ask('rev-parse', '--show-toplevel')
  const asked = await askGit(['rev-parse', '--git-path', 'hooks', '--git-common-dir'], { folder: workTree, env })
  const [hooks = '', common = ''] = asked.split('\n').map((path) => resolve(workTree, path))
  const isPrivate = isInside(await real(hooks), await real(common))
  if (!isPrivate && !isInside(await real(hooks), workTree)) {
    throw hookError(
      `\`core.hooksPath\` leads out of the repository, to ${hooks}, whose hooks other repositories have, too.`,
      {
        hint: 'Have that hook run `npx --no-install vitest-mdtest gate`, or set `core.hooksPath` for this repository.',
      },
    )
  }
  return { file: join(hooks, 'pre-commit'), workTree, isPrivate }
}

export interface HookOptions {
  readonly root: string
  /** Absolute path of the configuration, where it was asked for. */
  readonly configFile?: string | undefined
  readonly machine: Machine
}

/**
 * Writes a hook that runs the gates, where there is none but ours.
 *
 * @throws MdtestError `OPTION_HOOK` with the line to paste into a hook of the user's
 */
export async function installHook({ file, workTree, isPrivate }: HookPlace, options: HookOptions): Promise<void> {
  const { root, configFile, machine } = options
  const asked = {
    project: relative(workTree, root),
    configFile: configFile && relative(root, configFile),
    machine: isPrivate ? machine : undefined,
  }
  const old = await readHook(file)
  if (old !== undefined && !isOwnHook(old)) {
    throw hookError(`${file} is a hook of yours, and stays as it is.`, {
      hint: `Put this line into it, before what may end it (with Husky: into \`.husky/pre-commit\`):\n\n${hookLine(asked)}\n`,
    })
  }
  await mkdir(dirname(file), { recursive: true })
  rewriteFile(file, formatHook(asked), { newMode: 0o755 })
}

/** Removes the hook where it is ours. Whether it was. */
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
    throw hookError(`${file} cannot be read.`, { hint: 'Make it readable, or remove it.' })
  }
}

async function real(path: string): Promise<string> {
  return await realpath(path).catch(() => path) // It is not there.
}

/** The user's git with its settings, which say where hooks are. */
async function askGit(
  args: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const { stdout, stderr, failure } = await runProgram(['git', ...args], { cwd: folder, env })
  if (failure === undefined) return stdout.toString().trimEnd()
  const why = stderr.toString().trim() || failure.message
  throw hookError(`There is no work tree of git at ${folder} (${why}).`, {
    hint: 'Run `git init` there, or call this in a repository.',
  })
}

function hookError(message: string, { hint }: { readonly hint: string }): MdtestError {
  return new MdtestError('OPTION_HOOK', message, { hint })
}
