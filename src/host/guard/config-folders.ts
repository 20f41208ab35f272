import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface ConfigFolder {
  /** Times and inode of the folder, which change with each entry that comes or goes; `''` where there is none. */
  readonly stamp: string
  readonly ctimeMs: number
  readonly files: readonly string[]
}

export type ConfigFolders = ReadonlyMap<string, ConfigFolder>

interface ReadOptions {
  /** What is known of an earlier time: folders that are as they were are not read again. */
  readonly previous?: { readonly folders: ConfigFolders; readonly takenAtMs: number } | undefined
  readonly isMeant?: (name: string) => boolean
}

/** The clock of a file system may be as coarse as this, in milliseconds. */
export const coarsestClockMs = 2_000

/** Finds files that configure a runner, a compiler or a package manager. Synchronous like all that looks at many files. */
export function readConfigFolders(
  paths: Iterable<string>,
  { previous, isMeant = isConfigName }: ReadOptions = {},
): ConfigFolders {
  const folders = new Map<string, ConfigFolder>()
  for (const path of paths) {
    const { stamp, ctimeMs } = stampOf(path)
    const before = previous?.folders.get(path)
    const isSame = before?.stamp === stamp && ctimeMs < (previous?.takenAtMs ?? 0) - coarsestClockMs
    folders.set(path, isSame ? before : { stamp, ctimeMs, files: stamp === '' ? [] : filesIn(path, isMeant) })
  }
  return folders
}

function stampOf(path: string): Pick<ConfigFolder, 'stamp' | 'ctimeMs'> {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return { stamp: '', ctimeMs: 0 }
    const { mtimeMs, ctimeMs, ino, dev, mode } = stats
    return { stamp: [mtimeMs, ctimeMs, ino, dev, mode].join(' '), ctimeMs }
  } catch {
    return { stamp: '', ctimeMs: 0 }
  }
}

function filesIn(path: string, isMeant: (name: string) => boolean): readonly string[] {
  try {
    return readdirSync(path).flatMap((name) => (isMeant(name) ? [join(path, name)] : []))
  } catch {
    // Not to be read, or no folder: no tool finds anything in it either.
    return []
  }
}

/** Files that test runners, compilers and package managers read by their names, wherever they find them. */
const configuration = new RegExp(
  `^(?:${[
    String.raw`(?:vite|vitest|jest|playwright|babel|postcss|mdtest)\.(?:config|workspace|projects|setup|preset)(?:\.[\w-]+)*`,
    String.raw`setup(?:Tests|-tests|-vitest|-jest)\.\w+`,
    String.raw`package\.json|[jt]sconfig(?:\.[\w-]+)*\.json|deno\.jsonc?|bunfig\.toml|lerna\.json|nx\.json`,
    String.raw`\.(?:babelrc|swcrc|postcssrc|mocharc|browserslistrc|jestrc)(?:\.\w+)?`,
    String.raw`\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.[cm]?js|pnpm-workspace\.yaml|\.node-version|\.nvmrc|\.tool-versions`,
    String.raw`conftest\.py|(?:site|user)customize\.py|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml`,
    String.raw`GNUmakefile|makefile`,
  ].join('|')})$`,
)

/** Vite reads `.env`, `.env.local`, `.env.<mode>` and `.env.<mode>.local`; examples are for people. */
const environment = /^\.env(?!\.(?:example|sample|template|dist)$)(?:\.[\w-]+){0,2}$/

/** Whether a new file of this name in a folder of sources could change how they are built, run or judged. */
export function isConfigName(name: string): boolean {
  return configuration.test(name) || isEnvironmentName(name)
}

/** Whether it is one that holds variables. */
export function isEnvironmentName(name: string): boolean {
  return environment.test(name)
}
