import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEmptiedRoot, type Programs } from '../../../src/recordings/gates/emptied-root.ts'
import { rootsFor, type JudgedStep } from '../../../src/recordings/gates/without-product.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

const told = (command: string, isElsewhere = false): JudgedStep['told'][number] => ({
  command,
  isElsewhere,
  words: ['milk'],
})

it.each<[string, JudgedStep['told'], string]>([
  ['no command, as of steps in a browser', [], ''],
  ['servers that run by themselves', [told('put milk', true), told('get', true)], ''],
  ['a server and a command', [told('put milk', true), told('node a.mjs')], 'silent,babbling,failing'],
  ['a program of the project', [told('node a.mjs')], 'silent,babbling,failing'],
  ['a file with the name of a program', [told('cat docs/npm.md npm.txt')], 'silent,babbling,failing'],
  ['a script', [told('cd sub && npm run -s x')], 'silent,only-babbling,only-failing'],
  ['a program of a package', [told('./node_modules/.bin/x a.json')], 'silent,only-babbling,only-failing'],
])('what a step is tried in: %s', (_what, commands, roots) => {
  expect(rootsFor({ id: '1', told: commands }).join()).toBe(roots)
})

it('makes each root once', async () => {
  const place = mkdtempSync(join(tmpdir(), 'mdtest-roots-'))
  const root = join(place, 'root')
  let made = 0
  try {
    mkdirSync(root)
    writeFileSync(join(root, 'a.mjs'), 'console.log(1)\n')
    const { spec } = parseSpec('# One\n\nDo it.\n', { file: join(root, 'a.test.md'), agentDefault: 'claude' })
    const { signal } = new AbortController()
    const makeTempDir = async (): Promise<string> => mkdtempSync(join(place, `made-${(made += 1)}-`))
    const input = { root, spec, env: process.env, signal, makeTempDir, emptied: new Map() }
    const roots = (...all: readonly Programs[]) => Promise.all(all.map((one) => openEmptiedRoot(input, one)))
    const [silent, failing] = await roots('silent', 'failing')
    expect(await roots('failing', 'silent')).toEqual([failing, silent])
    expect(made).toBe(2)
    expect(silent?.spec.file).toBe(join(silent?.root ?? '', 'a.test.md'))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
