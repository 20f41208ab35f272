import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { realPathOf } from '../system/files/ground.ts'
import type { LineCommand, LineWord } from './read-line.ts'
import { literalWords, type Rule } from './rules.ts'

interface Places {
  /** Absolute path of the directory in which the scenario began. */
  readonly home: string
  /** Absolute path of the directory of the shell. */
  readonly cwd: string
  /** Of the whole line. */
  readonly commands: readonly LineCommand[]
}

/** Absolute paths of all directories in which a command of the line may run: that of the shell, and after each `cd`. */
export function directoriesOf(commands: readonly LineCommand[], cwd: string): readonly string[] {
  const found = new Set([cwd])
  for (const { words } of commands) {
    const [program, folder] = words
    if (program?.value !== 'cd' || folder?.value === undefined) continue
    for (const each of [...found].slice(0, maxDirectories)) found.add(resolve(each, folder.value))
  }
  return [...found]
}

const maxDirectories = 64

/**
 * Why a command that rules match may not run the file that they mean: a relative file in a rule is a file of the directory
 * in which the scenario began.
 */
export function otherFileOf(
  [program]: readonly LineWord[],
  matching: readonly Rule[],
  { home, cwd, commands }: Places,
): string | undefined {
  const named = matching.flatMap(literalWords).filter((word) => exists(resolve(home, word)))
  const own = program?.value?.includes('/') === true ? [program.value] : []
  for (const file of new Set([...own, ...named])) {
    if (file.startsWith('/')) continue
    const meant = realPathOf(resolve(home, file))
    const other = directoriesOf(commands, cwd).find((each) => realPathOf(resolve(each, file)) !== meant)
    if (other !== undefined) {
      return `In ${other} \`${file}\` is another file than the one that the rule means. Run it in ${home}.`
    }
  }
  return undefined
}

export function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
