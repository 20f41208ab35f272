import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { absentFolders, lostRequirement } from '../../../src/plan/options/requirements.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-lost-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const { spec } = parseSpec('---\nagent: none\nrequires: ["bin:tool"]\n---\n\n# T\n\n```sh\ntrue\n```\n', {
  file: join(root, 'a.test.md'),
})

describe('a program that is not there when a spec needs it', () => {
  mkdirSync(join(root, 'bin'))
  mkdirSync(join(root, 'tools'))
  writeFileSync(join(root, 'tools/tool'), '', { mode: 0o755 })
  utimesSync(join(root, 'bin'), 1, 1)
  const surroundings = {
    root,
    env: { PATH: [join(root, 'bin'), join(root, 'none/.bin'), join(root, 'tools')].join(':') },
    agentPrograms: {},
  }
  const absent = absentFolders(surroundings)
  const later = (): number => Date.now() + 60_000

  test('was never there where no folder has changed that was', () => {
    expect(absent).toEqual([join(root, 'none/.bin')])
    expect(lostRequirement(spec, { ...surroundings, sinceMs: later(), absent })).toBeUndefined()
  })

  test('may have been taken away with its folder, but not from one that never was', () => {
    const sinceMs = Date.now()
    writeFileSync(join(root, 'another'), '')
    const only = (folder: string): Parameters<typeof lostRequirement>[1] => ({
      root,
      env: { PATH: join(root, folder) },
      sinceMs,
      absent,
      agentPrograms: {},
    })
    expect(lostRequirement(spec, only('none/.bin'))).toBeUndefined()
    rmSync(join(root, 'tools'), { recursive: true })
    expect(lostRequirement(spec, only('tools'))).toMatchObject({ code: 'REQUIRES_UNMET' })
    mkdirSync(join(root, 'none/.bin'), { recursive: true })
    expect(lostRequirement(spec, only('none/.bin'))).toMatchObject({ code: 'REQUIRES_UNMET' })
  })
})
