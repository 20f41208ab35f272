import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { readImports } from './read-imports.ts'
import { root } from './tracked-files.ts'

/** Packages that are loaded at once with a file, and the file by which each comes in. */
function packagesOf(entry: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  const seen = new Set<string>()
  const open = [entry]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const { specifier, isTypeOnly, isLazy } of readImports(readFileSync(join(root, file), 'utf8'))) {
      if (isTypeOnly || isLazy || specifier.startsWith('node:')) continue
      if (!specifier.startsWith('.')) found[specifier] ??= file
      else if (specifier.endsWith('.ts')) open.push(posix.join(posix.dirname(file), specifier))
    }
  }
  return found
}

// There are many of them, and each loads it anew: a large package costs time and memory fifty times.
test('a worker loads no package but the connection to the host', () => {
  expect(packagesOf('src/public/internal-runtime.ts')).toEqual({
    birpc: 'src/host/server/connect-host.ts',
    vitest: 'src/vitest/worker/runtime.ts',
  })
})

// Every start of Vitest pays for it.
test('the plugin loads no package that only some runs need', () => {
  // The third has 2 kB, and belongs to agents that read settings.
  const packages = ['birpc', 'fastest-levenshtein', 'strip-json-comments', 'zod']
  expect(Object.keys(packagesOf('src/public/index.ts')).toSorted()).toEqual(packages)
})
