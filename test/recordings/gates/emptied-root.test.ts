import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeEmptiedRoot } from '../../../src/recordings/gates/emptied-root.ts'

const node = process.execPath

it('a program that babbles prints one line and ends well, whatever its first line is', async () => {
  const place = mkdtempSync(join(tmpdir(), 'mdtest-emptied-'))
  const [root, target] = [join(place, 'root'), join(place, 'target')]
  const programs: readonly (readonly [string, string, string])[] = [
    ['options.sh', 'set -euo pipefail\ntrap "echo cleaned" EXIT\nfalse\n', 'bash'],
    ['shebang', '#!/usr/bin/env bash\nset -e\necho done\n', 'bash'],
    ['dash.sh', 'for i in 1 2; do\n  echo $i\ndone\n', 'sh'],
    ['module.mjs', "import { join } from 'node:path'\nconsole.log(join('a', 'b'))\n", node],
    ['common.cjs', "'use strict'\nconsole.log(1)\n", node],
    ['blank.cjs', '\n\nconsole.log(1)\n', node],
  ]
  try {
    mkdirSync(root)
    for (const [name, text] of programs) writeFileSync(join(root, name), text)
    const signal = new AbortController().signal
    await makeEmptiedRoot({ root, target, programs: 'babbling', env: process.env, signal })
    const printed = programs.map(([name, , runner]) => [name, execFileSync(runner, [join(target, name)]).toString()])
    expect(printed).toEqual(programs.map(([name]) => [name, 'nothing of the product\n']))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
