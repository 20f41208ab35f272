import { describe, expect, test } from 'vitest'
import fc from '../../../support/fast-check.ts'
import { addBlock, removeBlock } from '../../../../src/commands/gate/hook/hook-block.ts'

const plain = { project: '', configFile: undefined }

describe('the block in a hook', () => {
  test('is the whole file where there was none', () => {
    const machine = { nodeFolder: '/opt/node/bin', program: '/opt/mdtest/dist/bin.js' }
    const hook = addBlock(undefined, { project: "it's/here", configFile: 'gates.json', machine })
    expect(hook).toMatchInlineSnapshot(`
      "#!/bin/sh
      # >>> mdtest gate >>>
      # The whole file is ours.
      # No commit with red tests. \`mdtest gate --hook --remove\` takes this out, \`git commit --no-verify\` goes without.
      (
        cd 'it'\\''s/here' || exit 1
        PATH="$PATH":'/opt/node/bin'
        export PATH
        for folder in . .. ../.. ../../.. ../../../..; do
          mdtest="$folder/node_modules/.bin/vitest-mdtest"
          if [ -f "$mdtest" ]; then exec "$mdtest" gate --fix-attempts 0 --no-execution-log --config 'gates.json'; fi
        done
        if [ -f '/opt/mdtest/dist/bin.js' ]; then exec node '/opt/mdtest/dist/bin.js' gate --fix-attempts 0 --no-execution-log --config 'gates.json'; fi
        exec npx --no-install vitest-mdtest gate --fix-attempts 0 --no-execution-log --config 'gates.json'
      ) || exit 1
      # <<< mdtest gate <<<
      "
    `)
    expect(removeBlock(hook ?? '')).toBe('')
  })

  test('comes before what may end the hook, and replaces an older one', () => {
    const hook = addBlock('#!/usr/bin/env bash\nexec lint-staged\n', plain) ?? ''
    expect(hook).toMatch(/^#!\/usr\/bin\/env bash\n# >>> mdtest gate >>>\n[^]+<<<\nexec lint-staged\n$/)
    expect(addBlock(hook, plain)).toBe(hook)
    expect(addBlock(addBlock(undefined, plain), plain)).toBe(addBlock(undefined, plain))
  })

  test('is taken out byte for byte', () => {
    const line = fc.constantFrom('', 'echo hi', '# >>> other >>>', 'exit 0', '\t\r', 'ÿ')
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('#!/bin/sh\n', '#! /bin/bash -e\n', ''), (lines, head) => {
        const old = `${head}${lines.join('\n')}`
        fc.pre(old !== '')
        expect(removeBlock(addBlock(old, plain) ?? '')).toBe(old)
      }),
    )
  })

  test('is in no other language', () => {
    expect(addBlock('#!/usr/bin/env python3\nprint()\n', plain)).toBeUndefined()
    expect(removeBlock('#!/bin/sh\n')).toBeUndefined()
  })
})
