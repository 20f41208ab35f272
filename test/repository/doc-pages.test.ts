import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countWords, longLines, readCode, readDocPages, saysItsKind } from './doc-pages.ts'
import { documented } from './documented-commands.ts'
import { root, trackedFiles } from './tracked-files.ts'

const pages = readDocPages()

describe.each(pages)('$path', (page) => {
  test('says whether it is a tutorial, a how-to, a reference or an explanation', () => {
    expect(saysItsKind(page)).toBe(true)
  })

  test('is short, in short lines', () => {
    expect(countWords(page)).toBeLessThanOrEqual(1500)
    expect(longLines(page)).toEqual([])
  })

  test('names files of the repository that are there', () => {
    const ours = /^(?:src|test|scripts|docs|bench|fixtures|schemas|types)\/[\w./-]+$/
    const named = readCode(page).spans.filter((span) => ours.test(span))
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

const flags = new Map(
  documented.map(([command, , syntax]) => [
    command,
    ['--help', ...Object.values(syntax.flags).map(({ flag }) => `--${flag}`)],
  ]),
)

/** Flags that the pages name and that are not mdtest's, by program. One that is in no line is a mistake, or belongs here. */
const otherFlags: Readonly<Record<string, string>> = {
  'mdtest without a command': '--version',
  vitest:
    '--changed --environment --experimental --globals --list-tags --merge-reports --pool --project --repeats --since-last-run',
  'vitest and others': '--passWithNoTests --retry --shard --typecheck --watch --inspect',
  jest: '--bail --ci --forceExit --maxWorkers --randomize --runTestsByPath --testLocationInResults --watchAll',
  'claude and codex': '--add-dir --dangerously-skip-permissions --max-budget-usd --settings --strict-mcp-config',
  'Gemini CLI': '--admin-policy',
  codex: '--dangerously-bypass-approvals-and-sandbox',
  runners: '--file-reporter --filter --grep --log-junit --logger --name --test --tests',
  'mdx and npm': '--section --omit',
}

const forContributors = /^docs\/(?:architecture|runners|decisions)\.md$/

describe('pages for contributors', () => {
  const names = new Set(trackedFiles().map((path) => basename(path)))

  test.each(pages.filter(({ path }) => forContributors.test(path)))('$path names files that are there', (page) => {
    const named = readCode(page).spans.filter((span) => /^[\w-]+(?:\.test)?\.(?:ts|mjs)$/.test(span))
    expect(named.filter((name) => !names.has(name))).toEqual([])
  })
})

describe('the pages of docs/', () => {
  test('are short together', () => {
    const words = pages.map(countWords).reduce((sum, count) => sum + count, 0)
    expect(words).toBeLessThanOrEqual(28_000)
  })

  test('and the README name every command', () => {
    const text = [readFileSync(join(root, 'README.md'), 'utf8'), ...pages.map((page) => page.text)].join('\n')
    expect([...flags.keys()].filter((command) => !text.includes(`mdtest ${command}`))).toEqual([])
  })

  test('name flags that are there', () => {
    const all = new Set([...flags.values(), ...Object.values(otherFlags).map((line) => line.split(' '))].flat())
    const unknown = pages.flatMap((page) => {
      const spans = readCode(page).spans.filter((span) => span.startsWith('--'))
      const named = spans.flatMap(readFlags).filter((flag) => !all.has(flag))
      return named.map((flag) => `${page.path}: ${flag}`)
    })
    expect([...new Set(unknown)]).toEqual([])
  })

  test('give each command its own flags', () => {
    const wrong = pages.flatMap((page) => {
      const { spans, lines } = readCode(page)
      const calls = [...spans, ...lines].flatMap(readCalls)
      const bad = calls.flatMap(({ command, given }) => given.filter((flag) => !flags.get(command)?.includes(flag)))
      return bad.map((flag) => `${page.path}: ${flag}`)
    })
    expect(wrong).toEqual([])
  })
})

function readFlags(code: string): readonly string[] {
  return [...code.matchAll(/(?<![\w-])--[a-zA-Z][a-zA-Z-]*/g)].map(([flag]) => flag)
}

/** Calls of mdtest in a line of code, with their flags: up to a comment, a pipe, the next command or quoted words. */
function readCalls(code: string): readonly { readonly command: string; readonly given: readonly string[] }[] {
  const calls = [...code.matchAll(/(?:^|[\s$(])(?:npx (?:--yes )?)?(?:vitest-)?mdtest ([a-z]+)(?= |$)([^#|&;'"]*)/g)]
  return calls.map(([, command = '', rest = '']) => ({ command, given: readFlags(rest.split(' -- ')[0] ?? '') }))
}
