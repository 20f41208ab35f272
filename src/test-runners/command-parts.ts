import type { RunScope } from './runner.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

interface ScopeForms {
  readonly file?: (path: string) => readonly string[]
  readonly pattern: (pattern: string) => readonly string[]
  readonly all?: readonly string[]
}

export function scopeArguments(
  run: RunScope,
  { file = (path) => [`./${path}`], pattern, all = [] }: ScopeForms,
): readonly string[] {
  if (run.scope === 'all') return all
  return run.scope === 'file' ? file(run.target) : pattern(run.target)
}

/** Name of the Java or Kotlin class in a source file: `com.example.SumsTest`, or `*SumsTest` where its package is not known. */
export function classNameOf(file: string): string {
  const path = file.replace(/\.(?:java|kt|kts|groovy|scala)$/, '')
  const inSources = /(?:^|\/)src\/[^/]+\/(?:java|kotlin|groovy|scala)\/(.+)$/.exec(path)?.[1]
  return inSources?.replaceAll('/', '.') ?? `*${path.slice(path.lastIndexOf('/') + 1)}`
}

/** The program of a package in the project's `node_modules`, else whichever npx finds; nothing is ever installed. */
export function packageProgram(root: string, name: string): [string, ...string[]] {
  const local = join(root, 'node_modules', '.bin', name)
  return existsSync(local) ? [local] : ['npx', '--no-install', name]
}

/** The first of these files in the project, as an absolute path, else the program of that name on `PATH`. */
export function projectProgram(root: string, files: readonly string[], onPath: string): string {
  return files.map((file) => join(root, file)).find((file) => existsSync(file)) ?? onPath
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** A pattern for tests by their full names, as runners join titles: with blanks or ` > `. */
export function anyFullName(names: readonly string[]): string {
  const patterns = names.map((name) => name.split(' > ').map(escapePattern).join('(?: >)? '))
  return `^(?:${patterns.join('|')})$`
}

/** The same for runners that hold a pattern against a title alone. */
export function anyTitle(names: readonly string[]): string {
  return [...new Set(names.map((name) => escapePattern(name.split(' > ').at(-1) ?? name)))].join('|')
}
