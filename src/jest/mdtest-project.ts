import { specEndings, textEndings } from '../system/spec-endings.ts'
import type { Options } from '../plan/options/options.ts'
import { resolveOptions } from '../plan/options/option-defaults.ts'
import { ownFile } from '../system/mdtest-package.ts'

/** The settings of Jest that mdtest reads. */
export interface GlobalConfig {
  readonly rootDir: string
  readonly testNamePattern?: string
  readonly updateSnapshot: 'all' | 'new' | 'none'
}

export interface ProjectConfig {
  readonly rootDir: string
  readonly transform: readonly (readonly [pattern: string, file: string, options: unknown])[]
}

/** Jest's own type has an index signature, which an interface would not match. */
export type JestProject = {
  displayName: string
  testEnvironment: 'node'
  testMatch: string[]
  testPathIgnorePatterns: string[]
  watchPathIgnorePatterns: string[]
  moduleFileExtensions: string[]
  transform: Record<string, [string, Record<string, unknown>]>
  globalSetup: string
  globalTeardown: string
}

/**
 * Jest's configuration for specs. Use it as the whole configuration or as one of its `projects`.
 *
 * @throws {MdtestError} `OPTION_INVALID` if an option is unknown or out of range.
 *
 * @example
 * module.exports = { projects: ['<rootDir>/jest.unit.config.js', mdtest({ allow: ['Bash(npm *)'] })] }
 */
export function mdtest(options: Options = {}): JestProject {
  const { include } = resolveOptions(options)
  return {
    displayName: 'mdtest',
    testEnvironment: 'node',
    testMatch: include.map((glob) => (glob.startsWith('**/') ? glob : `<rootDir>/${glob}`)),
    testPathIgnorePatterns: ['/node_modules/', logs],
    watchPathIgnorePatterns: [logs],
    // Jest refuses to start if its own extensions are missing.
    moduleFileExtensions: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'json', 'node', ...specEndings],
    transform: { [transformed(include)]: [ownFile('vitest-mdtest/jest'), { ...options }] },
    globalSetup: ownFile('vitest-mdtest/jest/setup'),
    globalTeardown: ownFile('vitest-mdtest/jest/teardown'),
  }
}

/** Returns a regular expression for the endings of the included files. It matches as few other files as possible. */
function transformed(include: readonly string[]): string {
  const isText = (glob: string): boolean => textEndings.some((ending) => glob.endsWith(`.${ending}`))
  const markdown = include.filter((glob) => !isText(glob))
  const endings = [
    ...(markdown.length === 0 ? [] : [markdown.every((glob) => glob.endsWith('.test.md')) ? 'test\\.md' : '[mM][dD]']),
    ...(markdown.length === include.length ? [] : textEndings),
  ]
  return endings.length === 1 ? `\\.${endings[0]}$` : `\\.(?:${endings.join('|')})$`
}

const logs = '\\.logs/'
