import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { emptyRoot } from '../../../src/recordings/gates/find-vacuous.ts'

function inputIn(place: string): Parameters<typeof emptyRoot>[0] {
  const root = join(place, 'root')
  const { spec } = parseSpec('# A\n', { file: join(root, 'a.test.md'), agentDefault: 'claude' })
  return { spec, root, env: process.env, signal: new AbortController().signal, makeTempDir: async () => place }
}

it('empties programs and data, and keeps pages and configuration', async () => {
  const place = mkdtempSync(join(tmpdir(), 'mdtest-emptied-'))
  const [root, target] = [join(place, 'root'), join(place, 'work')]
  const programs = ['a.sh', 'b.mjs', 'c.py', 'd.pl', 'compiled', 'data.json', 'words.txt']
  const others = ['README.md', 'vite.config.js', 'package.json', 'Makefile']
  try {
    mkdirSync(root)
    for (const name of [...programs, ...others]) writeFileSync(join(root, name), 'text\n')
    await emptyRoot(inputIn(place))
    const kept = [...programs, ...others].filter((name) => readFileSync(join(target, name), 'utf8') !== '')
    expect(kept).toEqual(others)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})

it('takes the place of files and folders that cannot be written', async () => {
  const place = mkdtempSync(join(tmpdir(), 'mdtest-emptied-'))
  const [root, target] = [join(place, 'root'), join(place, 'work')]
  const isRoot = process.geteuid?.() === 0
  try {
    mkdirSync(join(root, 'sub'), { recursive: true })
    for (const name of ['a.mjs', 'words', 'sub/b.sh']) {
      writeFileSync(join(root, name), '#!/bin/sh\necho one\n')
      chmodSync(join(root, name), 0o555)
    }
    chmodSync(join(root, 'sub'), 0o555)
    // Whoever is root may write anything.
    if (isRoot) {
      for (const name of ['', 'root', 'root/sub', 'root/a.mjs', 'root/words', 'root/sub/b.sh']) {
        chownSync(join(place, name), 65_534, 65_534)
      }
      process.seteuid?.(65_534)
    }
    await emptyRoot(inputIn(place))
    const { status, stdout } = spawnSync(join(target, 'sub/b.sh'), { encoding: 'utf8', shell: true })
    expect([stdout, status]).toEqual(['', 0])
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(join(root, 'sub'), 0o755)
    rmSync(place, { recursive: true, force: true })
  }
})
