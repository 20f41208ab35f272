import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, trackedFiles } from './tracked-files.ts'

// `mdtest` on npm is another package: where ours is not installed, this would fetch and start that one.
const starters = 'npx|bunx|pnpx|npm exec|pnpm dlx|yarn dlx'
const inCommands = new RegExp(String.raw`\b(?:${starters})(?:\s+-\S+)*\s+mdtest\b`)
/** The words of a program's configuration: `"command": "npx", "args": ["mdtest", …`. */
const inWords = new RegExp(String.raw`['"](?:${starters})['"][^\n]*[[,]\s*['"]mdtest['"]`)

test('what is written for users starts `vitest-mdtest` by name, never `mdtest` by npx', () => {
  const files = trackedFiles().filter((path) =>
    /^(?:[A-Z]+\.md|(?:src|docs|examples|scripts|schemas|types)\/.*)$/.test(path),
  )
  const lines = files.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        inCommands.test(line) || inWords.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      ),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(lines).toEqual([])
})
