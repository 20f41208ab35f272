import { basename } from 'node:path'
import { z } from 'zod'

/**
 * Words of a command that name the programs it starts, where these may be files of the project: `sh check.sh`,
 * `./check.sh -v`.
 */
export function programsOf(command: string): readonly string[] {
  const split = command.split(/\s+|(?=[;&|()])|(?<=[;&|()])/).map((word) => word.replaceAll(/["']/g, ''))
  const words = split.filter((word) => word !== '')
  const isStart = (index: number): boolean => index === 0 || /^[;&|()]$|^\w+=/.test(words[index - 1] ?? '')
  const isInterpreted = (index: number): boolean =>
    index > 0 && interpreters.has(basename(words[index - 1] ?? '')) && isStart(index - 1)
  return words
    .filter((word, index) => !/^[;&|()]$/.test(word) && (isStart(index) || isInterpreted(index)))
    .map((word) => word.replace(/^\.\//, ''))
}

const interpreters: ReadonlySet<string> = new Set('sh bash dash zsh node bun python python3 ruby perl php'.split(' '))

const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()).catch({}) })

/**
 * Commands, with the scripts of a package that they may start: those whose name is a word of theirs, as in `npm test`.
 *
 * @param manifest text of `package.json`, where there is one
 */
export function withScripts(commands: readonly string[], manifest: string | undefined): readonly string[] {
  const scripts = Object.entries(scriptsIn(manifest))
  const found = new Set(commands)
  // What is added is visited, too.
  for (const command of found) {
    const words = new Set(command.split(/[\s;&|()"']+/))
    for (const [name, script] of scripts) {
      if ([name, name.replace(/^(?:pre|post)/, '')].some((word) => words.has(word))) found.add(script)
    }
  }
  return [...found]
}

function scriptsIn(manifest: string | undefined): Readonly<Record<string, string>> {
  try {
    return manifestSchema.parse(JSON.parse(manifest ?? '{}')).scripts
  } catch {
    return {} // Not JSON: npm would not start it, either.
  }
}
