import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeError } from '../../../src/vitest/worker/describe-error.ts'

const dir = mkdtempSync(join(tmpdir(), 'mdtest-load-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function write(name: string, text: string): string {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}

const load = (specifier: string): Promise<unknown> => import(/* @vite-ignore */ specifier)
const attributes = { env: {} }
const place = { line: 10, column: 1, codeLine: 11, role: 'verify', kind: 'module', language: 'ts' } as const // literals
const describeIt = (error: unknown) =>
  describeError(error, { file: join(dir, 'a.test.md'), root: dir, block: { ...place, code: '…', attributes } })

test.each([
  ['a file that is missing', () => load(join(dir, 'summ.mjs'))],
  ['a package that is missing', () => load('no-such-package')],
  ['a module of Node.js that does not exist', () => load('node:nothing')],
  ['a file that imports a missing one', () => load(write('deep.mjs', "import './gone.mjs'"))],
  ['bad syntax', () => load(write('bad.mjs', 'export let a = = 1'))],
  ['`require` of a file that is missing', async () => createRequire(dir)('./gone.cjs')],
  ['`require` of bad syntax', async () => createRequire(dir)(write('bad.cjs', 'let a = = 1'))],
  ['a name that is not exported', () => load(`data:text/javascript,import { gone } from 'node:fs'`)],
  ['a matcher that does not exist', async () => Reflect.get(expect(1), 'toBee')],
  ['a module of a scheme that Node.js does not know', () => load('gone://a')],
  [
    'an import whose error is a cause',
    () => load('no-such-package').catch((cause: unknown) => Promise.reject(new Error('no', { cause }))),
  ],
])('a module that cannot be loaded is no failure of the product: %s', async (_what, action) => {
  const error = await action().catch((reason: unknown) => reason)
  expect(describeIt(error)).toMatchObject({ isBroken: true })
})

test.each([
  ['`require` of JSON that is cut', async () => createRequire(dir)(write('cut.json', '{'))],
  ['data that is cut', async () => JSON.parse('{')],
  ['code that throws as it is loaded', () => load(write('throws.mjs', "JSON.parse('{')"))],
  ['an assertion', async () => expect(1).toBe(2)],
  ['a file that is read', () => import('node:fs/promises').then(({ readFile }) => readFile(join(dir, 'gone')))],
  ['an error with a code of its own', () => Promise.reject(Object.assign(new Error('no'), { code: 'NOT_FOUND' }))],
  ['text', () => Promise.reject('MODULE_NOT_FOUND')],
])('other errors may be failures of the product: %s', async (_what, action) => {
  const error = await action().catch((reason: unknown) => reason)
  expect(describeIt(error)).toMatchObject({ isBroken: false })
})
