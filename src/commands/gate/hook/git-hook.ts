import { mkdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isInside } from '../../../system/files/is-inside.ts'
import { rewriteFile } from '../../../system/files/write-file.ts'
import { runProgram } from '../../../system/process/run-program.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { addBlock, removeBlock, type Machine } from './hook-block.ts'
import { errorCode } from '../../../system/error-facts.ts'

/** Where the hook is. */
export interface HookPlace {
  /** Absolute path of the file. */
  readonly file: string
  /** Absolute path of the work tree. */
  readonly workTree: string
  /** Whether the file is git's own and nobody else gets it. */
  readonly isPrivate: boolean
  /** Whether Husky runs it, by `sh`: then it need not be executable. */
  readonly isHuskys: boolean
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
  if (!isPrivate && !isInside(hooks, workTree)) {
    throw hookError(
      `\`core.hooksPath\` leads out of the repository, to ${hooks}, whose hooks other repositories have, too.`,
      {
        hint: 'Have that hook run `npx --no-install vitest-mdtest gate`, or set `core.hooksPath` for this repository.',
      },
    )
  }
  // Husky's own files are made anew; it runs the one beside them.
  const isHuskys = basename(hooks) === '_' && basename(dirname(hooks)) === '.husky'
  const file = join(isHuskys ? dirname(hooks) : hooks, 'pre-commit')
  const target = await real(file)
  const inside = await Promise.all([workTree, common, dirname(file)].map(real))
  if (!inside.some((folder) => isInside(target, folder))) {
    throw hookError(`${file} is a link that leads out of the repository, to ${target}.`, {
      hint: 'Put the hook itself in its place.',
    })
  }
  return { file, workTree, isPrivate, isHuskys }
}

export interface HookOptions {
  /** Absolute path of the project. */
  readonly root: string
  /** Absolute path of the configuration, where it was asked for. */
  readonly configFile?: string | undefined
  readonly machine: Machine
}

/**
 * Adds the gates to a hook: to what is there, or as a new file.
 *
 * @throws MdtestError `OPTION_HOOK`
 */
export async function installHook(place: HookPlace, options: HookOptions): Promise<void> {
  const old = await readHook(place.file)
  const { workTree, isPrivate, isHuskys } = place
  const text = addBlock(old, {
    project: relative(workTree, options.root),
    configFile: options.configFile && relative(options.root, options.configFile),
    machine: isPrivate ? options.machine : undefined,
  })
  if (text === undefined) {
    throw hookError(`${place.file} is no shell script.`, {
      hint: 'Have it run `npx --no-install vitest-mdtest gate` itself.',
    })
  }
  if (old !== undefined && !isHuskys && ((await stat(place.file)).mode & 0o100) === 0) {
    throw hookError(`${place.file} is not executable, so git does not run it.`, {
      hint: 'Make it executable, or remove it.',
    })
  }
  await replaceHook(place.file, text)
}

/** Removes the gates from a hook, and nothing else. Whether they were in it. */
export async function removeHook({ file }: HookPlace): Promise<boolean> {
  const old = await readHook(file)
  const text = old === undefined ? undefined : removeBlock(old)
  if (text === undefined) return false
  if (text === '') await rm(file)
  else await replaceHook(file, text)
  return true
}

async function readHook(file: string): Promise<string | undefined> {
  try {
    // Each byte as one character: nobody has to write UTF-8.
    return await readFile(file, 'latin1')
  } catch (error: unknown) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw hookError(`${file} cannot be read.`, { hint: 'Make it readable, or remove it.' })
  }
}

async function replaceHook(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  rewriteFile(file, Buffer.from(text, 'latin1'), { newMode: 0o755 })
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
