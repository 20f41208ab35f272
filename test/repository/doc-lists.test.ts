import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ruleNames } from '../verdict/rule-cases.ts'
import type { ReasonCode } from '../../src/verdict/verdict.ts'
import { root } from './tracked-files.ts'

/** Codes that are no rule of the verdict: an object, so that one more is a type error here. */
const otherCodes: Readonly<Record<Exclude<ReasonCode, (typeof ruleNames)[number]>, true>> = {
  UPDATE_REFUSED: true,
  PREDECESSOR_FAILED: true,
  SKIPPED_BY_BLOCK: true,
  REQUIRES_UNMET: true,
  SIDE_EFFECTS: true,
  AGENT_ON_DEMAND: true,
}

describe('lists in docs/', () => {
  test('docs/reasons.md has every reason code once, and no other', () => {
    const items = textOf('docs/reasons.md').match(/^- `[A-Z_`, ]+`:/gm) ?? []
    const codes = items.flatMap((item) => item.match(/[A-Z]+(?:_[A-Z]+)+/g) ?? [])
    expect(codes.toSorted()).toEqual([...ruleNames, ...Object.keys(otherCodes)].toSorted())
  })

  test('docs/benchmarks.md has every measure', () => {
    const measures = [...textOf('bench/run.ts').matchAll(/^ {2}'?([a-z-]+)'?: async \(\)/gm)].map(([, name]) => name)
    const [, list = ''] = textOf('docs/benchmarks.md').split('## Measures')
    const named = [...list.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(measures.toSorted())
  })
})

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
