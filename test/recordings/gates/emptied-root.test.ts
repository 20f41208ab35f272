import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeEmptiedRoot } from '../../../src/recordings/gates/emptied-root.ts'

const node = process.execPath

it.each([
  ['babbling', 'nothing of the product\n', 0],
  ['failing', '', 70],
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
      ...(programs === 'failing' ? [['compiled', '\u007FELF\n', 'bash'] as const] : []),
    ]
    try {
      mkdirSync(root)
      for (const [name, text] of all) writeFileSync(join(root, name), text)
      if (programs === 'failing') chmodSync(join(root, 'compiled'), 0o755)
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
