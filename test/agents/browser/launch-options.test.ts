import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { quietArguments } from '../../../src/agents/browser/launch-options.ts'

test('what Playwright turns off in Chromium stays off: the last list of features replaces those before', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
  const code = readFileSync(join(folder, 'lib/coreBundle.js'), 'utf8')
  const list = /disabledFeatures = [^[]*\[([\s\S]*?)\]\.filter/.exec(code)?.[1] ?? ''
  const features = [...list.matchAll(/^\s*"(\w+)"/gm)].flatMap(([, name]) => name ?? [])
  expect(features).toContain('Translate')
  const ours = quietArguments.find((argument) => argument.startsWith('--disable-features='))?.split(/[=,]/)
  expect(ours).toEqual(expect.arrayContaining(features))
})
