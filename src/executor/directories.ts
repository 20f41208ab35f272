import { resolve } from 'node:path'
import type { LineCommand } from './read-line.ts'
import { statsOf } from '../system/files/paths.ts'

export const unknownDirectory = '/dev/null/unknown'

const maxDirectories = 64

/** Where each command of a line may run. `start` is where the shell may be when the line begins. */
export function directoriesOf(
  commands: readonly LineCommand[],
  start: readonly string[],
): (command: LineCommand) => readonly string[] {
  const before = new Map<LineCommand, readonly string[]>()
  const all = new Set(start)
  let now = start
  for (const command of commands) {
    if (command.place === 'first' || command.place === 'later') before.set(command, now)
    for (const each of directoriesBehind({ ...command, place: 'nested' }, [...all])) all.add(each)
    now = directoriesBehind(command, now)
  }
  return (command) => before.get(command) ?? [...all]
}

export function directoriesAfter(commands: readonly LineCommand[], start: readonly string[]): readonly string[] {
  return commands.reduce((now, command) => directoriesBehind(command, now), start)
}

function directoriesBehind({ words, place }: LineCommand, now: readonly string[]): readonly string[] {
  const [program, folder] = words
  if (program?.value === 'pushd' || program?.value === 'popd') return [...now, unknownDirectory]
  if (program?.value !== 'cd') return now
  if (place === 'apart') return now
  const to = folder?.value
  if (to === undefined || to === '-') return [...now, unknownDirectory]
  // A later or nested one may not run, and one to what is no folder fails.
  const after = now.flatMap((each) => {
    const next = resolve(each, to)
    return place === 'first' && isFolder(next) ? [next] : [each, next]
  })
  return [...new Set(after)].slice(0, maxDirectories)
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true
}
