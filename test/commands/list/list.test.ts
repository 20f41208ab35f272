import { describe, expect, test } from 'vitest'
import { formatSpec, listSpec, type ListedHeading, type ListedSpec } from '../../../src/commands/list/list.ts'
import { createPalette } from '../../../src/commands/common/styled-text.ts'
import type { Options } from '../../../src/plan/options/options.ts'
import { resolveOptions } from '../../../src/plan/options/option-defaults.ts'
import { planSpec } from '../../../src/plan/plan-spec.ts'

function listed(text: string, options: Options = {}): ListedSpec {
  const planned = planSpec(text, {
    file: '/suite/a.test.md',
    root: '/suite',
    options: resolveOptions(options),
    commandLine: {},
  })
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems))
  return listSpec(planned.plan)
}

function formatted(text: string, options?: Options): string {
  return formatSpec(listed(text, options), { cwd: '/suite', palette: createPalette(false) })
}

test('says who does each step, in order', () => {
  expect(
    formatted(`---
tags: [smoke, slow]
side-effects: true
timeout: 90s
min-assurance: verified
---

# Shop

## Setup

\`\`\`sh run
true
\`\`\`

## Cart

\`\`\`console run
$ true
\`\`\`

### Add a mug

- [ ] it is there
- [ ] once

\`\`\`sh run
true
\`\`\`

\`\`\`sh verify
true
\`\`\`

### Later

## Look

<!-- mdtest: only retry=2 tags=a,b -->

\`\`\`sh verify
true
\`\`\`

\`\`\`console verify skip
$ true
\`\`\`

## Teardown

\`\`\`sh run
true
\`\`\`

# Bare

## Before

\`\`\`sh run
true
\`\`\`

Look around.

## Look

Look at it.

## After

Say goodbye.
`),
  ).toMatchInlineSnapshot(`
    "a.test.md agent auto, tags smoke slow, side effects, timeout 90s, min-assurance verified
      Shop :8
        Setup [sh] :10
        Cart :16
          Add a mug [console] [sh] [agent] [sh] 2 checks :22
          Later [todo] :35
        Look [sh] only, retry 2, tags a b :37
        Teardown [sh] :49
      Bare :55
        Before [sh] [agent] :57
        Look [agent] :65
        After [agent] :69
    "
  `)
})

test.each<[Pick<Options, 'executor' | 'sandbox'>, string]>([
  [{}, ''],
  [{ executor: 'mdtest', sandbox: 'require' }, ', executor mdtest, sandbox require'],
])('says who executes with %j, where an agent acts', (options, expected) => {
  expect(formatted('# A\n\nDo it.\n', options).split('\n')[0]).toBe(`a.test.md agent auto${expected}`)
  const code = '---\nagent: none\n---\n\n# A\n\n```sh run\n:\n```\n'
  expect(listed(code, options)).not.toHaveProperty('executor')
})

describe('what is left out', () => {
  const text = `---
agent: none
---

# Shop

## Cart

<!-- mdtest: skip="no stock" -->

### Add

\`\`\`sh
true
\`\`\`

### Take out

<!-- mdtest: todo -->

\`\`\`sh
true
\`\`\`

## Look

<!-- mdtest: skip -->

\`\`\`sh
true
\`\`\`
`

  test('is said of every step below', () => {
    expect(formatted(text)).toMatchInlineSnapshot(`
      "a.test.md agent none
        Shop :5
          Cart [skip] no stock :7
            Add [skip] no stock :11
            Take out [skip] no stock :17
          Look [skip] :25
      "
    `)
  })

  test('is nothing that the agent does', () => {
    const options = { hardTimeoutMs: 1000, blockTimeoutMs: 90_500, maxCostUsd: 1 }
    expect(listed(text, options).limits).toEqual({ blockTimeoutMs: 90_500 })
    expect(listed('# A\n\nDo it.\n', options).limits).toEqual(options)
    expect(listed('# A\n\n## B\n\n<!-- mdtest: skip -->\n\nDo it.\n', { maxCostUsd: 1 }).limits).toEqual({})
  })
})

test('a scenario that is left out needs no agent', () => {
  const text = '# A\n\n<!-- mdtest: skip="no shop" -->\n\n## B\n\nDo it.\n'
  expect(formatted(text, { maxCostUsd: 1 })).toBe(
    'a.test.md agent auto\n  A [skip] no shop :1\n    B [skip] no shop :5\n',
  )
})

test('the same kind of block twice in a row is one part', () => {
  const block = '```sh verify\ntrue\n```\n\n'
  const other = '```console verify\n$ true\n```\n\n'
  expect(formatted(`# A\n\n${block}${block}${other}${block}`)).toContain('A [sh] [console] [sh] :1\n')
})

test('an included step is named with its file', () => {
  const step: ListedHeading = {
    kind: 'step',
    id: '1-a',
    title: 'A',
    by: ['ts'],
    checks: 0,
    line: 3,
    file: '/suite/b.md',
  }
  const group: ListedHeading = { kind: 'group', title: 'B', line: 1, file: '/suite/b.md', children: [step] }
  const spec = { ...listed('# A\n\nDo it.\n'), scenarios: [{ title: 'S', line: 1, children: [group] }] }
  const text = formatSpec(spec, { cwd: '/suite', palette: createPalette(false) })
  expect(text).toContain('  S :1\n    B b.md:1\n      A [ts] b.md:3\n')
})

test('titles cannot steer the terminal', () => {
  expect(formatted('# A \u001b[2J\n\nDo it.\n')).toContain('A \\x1b[2J [agent] :1')
})

test('says how often a scenario is run, and which steps are expected to fail or have a limit', () => {
  const text =
    '# Shop\n\n<!-- mdtest: repeats=5 require=4 -->\n\n## Pay\n\n<!-- mdtest: fails timeout=1m -->\n\nPay.\n\n# Bank\n\nPay.\n'
  expect(formatted(text, { repeats: 2 }).split('\n').slice(1, 4)).toEqual([
    '  Shop repeats 5 require 4 :1',
    '    Pay [agent] fails, timeout 1m :5',
    '  Bank repeats 2 require 2 :11',
  ])
})
