import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, trackedFiles } from './tracked-files.ts'

/** Rules that were written many times, each with its one place. */
const rules = [
  { rule: 'code of a system error', place: 'src/system/error-facts.ts', pattern: /'code' in (?:error|cause)\b/ },
  {
    rule: 'message of what was thrown',
    place: 'src/system/error-facts.ts',
    pattern: /(?:instanceof Error|is(?:Native)?Error\(\w+\)) \? \w+\.message\b/,
  },
  {
    rule: 'path inside a folder',
    place: 'src/system/files/is-inside.ts',
    pattern: /(?<!normalized)\.startsWith\('\.\.|startsWith\(`\.\.\$\{sep\}`\)|\[0\] [!=]== '\.\.'|function isInside\(/,
  },
  {
    rule: 'hardening of git',
    place: 'src/system/git/run-git.ts',
    pattern: /core\.fsmonitor|safe\.directory|startsWith\('GIT_'\)/,
  },
]

test.each(rules)('$rule is in $place alone', ({ place, pattern }) => {
  const files = trackedFiles().filter((file) => /^src\/.*\.ts$/.test(file))
  expect(files).toContain(place)
  expect(files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))).toEqual([place])
})
