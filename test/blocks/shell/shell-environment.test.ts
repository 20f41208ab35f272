import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requiredVariables, shellEnvironment } from '../../../src/blocks/shell/shell-environment.ts'

test('passes on who and where the user is and nothing else', () => {
  const tempDir = mkdtempSync(join(tmpdir(), 'mdtest-env-'))
  const env = shellEnvironment({
    env: {
      PATH: '/bin',
      HOME: '/h',
      SECRET: 's',
      KEY: 'k',
      LANG: 'de_DE',
      no_proxy: 'x',
      BASH_ENV: '/rc',
      MDTEST_MARKS: 'm',
    },
    specDir: '/shop/spec',
    root: '/shop',
    tempDir,
    required: requiredVariables(['env:KEY', 'env:UNSET', 'bin:SECRET']),
    extra: { TZ: 'CET', OWN: '1' },
  })
  expect(env).toEqual({
    PATH: '/bin',
    HOME: '/h',
    no_proxy: 'x',
    MDTEST_MARKS: 'm',
    TMPDIR: join(tempDir, 'tmp'),
    LANG: 'C.UTF-8',
    TZ: 'CET',
    COLUMNS: '80',
    TESTDIR: '/shop/spec',
    TESTROOT: '/shop',
    KEY: 'k',
    OWN: '1',
  })
  expect(statSync(join(tempDir, 'tmp')).mode & 0o777).toBe(0o700)
  rmSync(tempDir, { recursive: true })
})
