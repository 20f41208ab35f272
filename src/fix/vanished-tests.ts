import { isTestFile } from '../checkpoint/protected-files.ts'
import type { NamedTest } from '../runners/runner.ts'
import type { FinishedAct } from './history.ts'

/** Whether an attempt changed or added tests: then their number alone does not say that all of them ran. */
export function areTestsAdded(history: readonly FinishedAct[]): boolean {
  return history.some((act) => act.kind === 'attempt-made' && act.changedFiles.some(isTestFile))
}

interface Named {
  readonly name: string
  readonly file?: string | undefined
}

/**
 * Tests that failed before, and now neither fail nor pass: what does not run is not fixed. What stood for a whole file or
 * package is none: its tests have names of their own now. Pure.
 */
export function vanishedTests<T extends Named>(
  before: readonly T[],
  { failing, passed }: { readonly failing: readonly Named[]; readonly passed: readonly NamedTest[] },
): readonly T[] {
  const now = [...failing, ...passed]
  const names = new Set(now.map(({ name, file }) => `${file ?? ''}\n${name}`))
  // Of Go only tests that fail tell their file.
  const bare = new Set(now.filter(({ file }) => file === undefined).map(({ name }) => name))
  const parents = new Set(now.flatMap(({ name }) => parentsOf(name)))
  return before.filter(
    ({ name, file }) =>
      !isWhole({ name, file }) && !names.has(`${file ?? ''}\n${name}`) && !bare.has(name) && !parents.has(name),
  )
}

/** A file, a module of Python, a package of Go, or a sentence of ours. */
function isWhole({ name, file }: Named): boolean {
  if (name.startsWith('(') || name === file) return true
  if (file === undefined || file.endsWith('.go')) return !/^(?:Test|Fuzz|Example)/.test(name)
  return name === file.replace(/\.py$/, '').replaceAll('/', '.')
}

/** Of a test within others, as Go and Node.js name it. */
function parentsOf(name: string): readonly string[] {
  const parts = name.split(/(\/| > )/)
  return parts.flatMap((_, index) => (index % 2 === 1 ? [parts.slice(0, index).join('')] : []))
}
