import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, trackedFiles } from './tracked-files.ts'

interface Rule {
  readonly rule: string
  readonly place: string
  readonly pattern: RegExp
  /** Files that have the pattern for another reason. */
  readonly others?: readonly string[]
}

/** Rules that were written many times, each with its one place. */
const rules: readonly Rule[] = [
  { rule: 'code of a system error', place: 'src/system/error-facts.ts', pattern: /'code' in (?:error|cause)\b/ },
  {
    rule: 'message of what was thrown',
    place: 'src/system/error-facts.ts',
    pattern: /(?:instanceof Error|is(?:Native)?Error\(\w+\)) \? \w+\.message\b/,
  },
  {
    rule: 'path inside a folder',
    place: 'src/system/files/paths.ts',
    pattern: /(?<!normalized)\.startsWith\('\.\.|startsWith\(`\.\.\$\{sep\}`\)|\[0\] [!=]== '\.\.'|function isInside\(/,
  },
  {
    rule: 'hardening of git',
    place: 'src/system/git/git.ts',
    pattern: /core\.fsmonitor|safe\.directory|startsWith\('GIT_'\)/,
  },
  {
    rule: 'reading of a spec, with the agent that decides how',
    place: 'src/plan/read-spec.ts',
    pattern: /\bparseSpec\(/,
    others: ['src/spec/parse-spec.ts'],
  },
  {
    rule: 'a file whole or not at all',
    place: 'src/system/files/write-file.ts',
    pattern: /\brename(?:Sync)?\(|\.tmp`|\bfsync/,
  },
  {
    rule: 'program that is no tree of a run',
    place: 'src/system/process/run-program.ts',
    pattern: /'execa'|\bexecFile\(|promisify\(execFile\)/,
    // In the launcher, which has to start fast and waits for nothing.
    others: ['src/system/process/trees/marks.ts'],
  },
]

test.each(rules)('$rule is in $place alone', ({ place, pattern, others = [] }) => {
  const files = trackedFiles().filter((file) => /^src\/.*\.ts$/.test(file))
  expect(files).toContain(place)
  expect(files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8'))).toSorted()).toEqual(
    [place, ...others].toSorted(),
  )
})

test('no file loads the data of Unicode and languages when it is loaded: that takes 15 ms', () => {
  const atTop = /^(?:export )?(?:const|let) [^\n]*\bnew Intl\.|^ {2,4}\w+: new Intl\./m
  const files = trackedFiles().filter((file) => /^src\/.*\.ts$/.test(file))
  expect(files.filter((file) => atTop.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
