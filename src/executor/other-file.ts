import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { realPathOf } from '../system/files/ground.ts'
import { unwrap } from './command-words.ts'
import type { LineCommand } from './read-line.ts'
import { literalWords, type Rule } from './rules.ts'

interface Places {
  /** Absolute path of the directory in which the scenario began. */
  readonly home: string
  /** Absolute path of the directory of the shell. */
  readonly cwd: string
  /** Of the whole line. */
  readonly commands: readonly LineCommand[]
}

/** Absolute paths of the directories in which each command of the line may run: that of the shell, and after each `cd`. */
export function directoriesOf(
  commands: readonly LineCommand[],
  cwd: string,
): (command: LineCommand) => readonly string[] {
  const before = new Map<LineCommand, readonly string[]>()
  const all = new Set([cwd])
  let now: readonly string[] = [cwd]
  for (const command of commands) {
    const { words, place } = command
    if (place !== 'nested') before.set(command, now)
    const [program, folder] = words
    if (program?.value !== 'cd' || folder?.value === undefined) continue
    const to = folder.value
    // A later or nested one may not run, and one to what is no folder fails.
    const after = now.flatMap((each) => {
      const next = resolve(each, to)
      return place === 'first' && isFolder(next) ? [next] : [each, next]
    })
    now = [...new Set(after)].slice(0, maxDirectories)
    for (const each of now) all.add(each)
  }
  return (command) => before.get(command) ?? [...all]
}

const maxDirectories = 64

/**
 * Why a command that rules match may not run the file that they mean: a relative file in a rule is a file of the directory
 * in which the scenario began.
 */
export function otherFileOf(
  command: LineCommand,
  matching: readonly Rule[],
  { home, cwd, commands }: Places,
): string | undefined {
  const [program] = unwrap(command.words)
  const named = matching
    .flatMap(literalWords)
    .filter((word) => exists(resolve(home, word)) && !isFolder(resolve(home, word)))
  const own = program?.value?.includes('/') === true ? [program.value] : []
  for (const file of new Set([...own, ...named])) {
    if (file.startsWith('/')) continue
    const meant = realPathOf(resolve(home, file))
    const other = directoriesOf(commands, cwd)(command).find((each) => realPathOf(resolve(each, file)) !== meant)
    if (other !== undefined) {
      return `In ${other} \`${file}\` is another file than the one that the rule means. Run it in ${home}.`
    }
  }
  return undefined
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

export function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
