import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeEmptiedRoot } from '../../../src/recordings/gates/emptied-root.ts'

const node = process.execPath

it.each([
  ['babbling', 'nothing of the product\n', 0],
  // A `failing` one does the last part of what this does.
  ['only-failing', '', 70],
] as const)(
  'a program that is %s prints no more, and ends, whatever its first line is',
  async (programs, line, code) => {
    const place = mkdtempSync(join(tmpdir(), 'mdtest-emptied-'))
    const [root, target] = [join(place, 'root'), join(place, 'target')]
    const all: readonly (readonly [string, string, string])[] = [
      ['options.sh', 'set -euo pipefail\ntrap "echo cleaned" EXIT\nfalse\n', 'bash'],
      ['shebang', '#!/usr/bin/env bash\nset -e\necho done\n', 'bash'],
      ['dash.sh', 'for i in 1 2; do\n  echo $i\ndone\n', 'sh'],
      ['module.mjs', "import { join } from 'node:path'\nconsole.log(join('a', 'b'))\n", node],
      ['common.cjs', "'use strict'\nconsole.log(1)\n", node],
      ['blank.cjs', '\n\nconsole.log(1)\n', node],
      ['words.py', "def say():\n  print('done')\nsay()\n", 'python3'],
      ['words.pl', 'print "done\\n";\n', 'perl'],
      ...(programs.endsWith('failing') ? [['compiled', '\u007FELF\n', 'bash'] as const] : []),
    ]
    try {
      mkdirSync(root)
      for (const [name, text] of all) writeFileSync(join(root, name), text)
      if (programs.endsWith('failing')) chmodSync(join(root, 'compiled'), 0o755)
      const signal = new AbortController().signal
      await makeEmptiedRoot({ root, target, programs, env: process.env, signal })
      const ended = all.map(([name, , runner]) => {
        const { status, stdout } = spawnSync(runner, [join(target, name)], { encoding: 'utf8' })
        return [name, stdout, status]
      })
      expect(ended).toEqual(all.map(([name]) => [name, line, code]))
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  },
)

it('takes the place of files and folders that cannot be written', async () => {
  const place = mkdtempSync(join(tmpdir(), 'mdtest-emptied-'))
  const [root, target] = [join(place, 'root'), join(place, 'target')]
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
    const input = { root, env: process.env, signal: new AbortController().signal }
    for (const programs of ['silent', 'failing', 'only-failing'] as const) {
      await makeEmptiedRoot({ ...input, target: `${target}-${programs}`, programs })
      const { status, stdout } = spawnSync(join(`${target}-${programs}`, 'sub/b.sh'), { encoding: 'utf8', shell: true })
      expect([stdout, status]).toEqual(['', programs === 'silent' ? 0 : 70])
    }
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(join(root, 'sub'), 0o755)
    rmSync(place, { recursive: true, force: true })
  }
})
