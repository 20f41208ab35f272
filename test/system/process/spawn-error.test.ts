import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MdtestError } from '../../../src/system/mdtest-error.ts'
import { toSpawnError } from '../../../src/system/process/command.ts'

const cwd = mkdtempSync(join(tmpdir(), 'mdtest-spawn-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))
const script = join(cwd, 'script')
writeFileSync(script, '#!/no/such/interpreter\n')
const systemError = (code: string): Error => Object.assign(new Error(`spawn x ${code}`), { code })
const describeFor = (argv: readonly [string, ...string[]], cause: unknown, more: object = {}): readonly string[] => {
  const { code, message, hint = '' } = toSpawnError({ argv, cwd, env: {}, ...more }, cause)
  return [code, message, hint]
}

test.each<[string, string, string, string]>([
  ['ENOENT', 'tool', 'EXEC_NOT_FOUND', 'PATH'],
  ['ENOENT', '/no/such/tool', 'EXEC_NOT_FOUND', 'Correct the path'],
  ['ENOENT', script, 'EXEC_NOT_FOUND', 'interpreter'],
  ['EACCES', 'tool', 'EXEC_NOT_EXECUTABLE', 'chmod'],
  ['EPERM', 'tool', 'EXEC_NOT_EXECUTABLE', 'chmod'],
  ['E2BIG', 'tool', 'EXEC_TOO_LONG', 'Shorten'],
  ['EAGAIN', 'tool', 'EXEC_NO_RESOURCES', 'ulimit'],
  ['ENOMEM', 'tool', 'EXEC_NO_RESOURCES', 'ulimit'],
  ['EIO', 'tool', 'EXEC_SPAWN_FAILED', 'by hand'],
])('%s of %s is %s, with a way out', (systemCode, program, code, wayOut) => {
  // The launcher hands it over inside of another error.
  const cause = new Error('outer', { cause: new Error('middle', { cause: systemError(systemCode) }) })
  for (const each of [systemError(systemCode), cause]) {
    const [found, message, hint] = describeFor([program], each)
    expect([found, message]).toEqual([code, expect.stringContaining(`\`${program}\``)])
    expect(hint).toContain(wayOut)
  }
})

test.each([
  ['an argument', { argv: ['tool', 'a\0b'] }],
  ['a variable', { env: { A: '\0' } }],
  ['a name of a variable', { env: { 'A\0': '' } }],
  ['the directory', { cwd: '/a\0b' }],
])('a NUL character in %s is named before all else', (_where, more) => {
  expect(describeFor(['tool'], systemError('ENOENT'), more)[0]).toBe('EXEC_INVALID_ARGUMENT')
})

test.each(['/no/such/folder', script])('a working directory %s that is none is named before the program', (folder) => {
  const [code, message] = describeFor(['tool'], systemError('ENOENT'), { cwd: folder })
  expect([code, message]).toEqual(['EXEC_BAD_CWD', expect.stringContaining(`\`${folder}\``)])
})

test('what is no error of the system is told as it is, and an error of ours stays itself', () => {
  expect(describeFor(['tool'], 'odd').slice(0, 2)).toEqual(['EXEC_SPAWN_FAILED', expect.stringContaining(': odd. ')])
  const ours = new MdtestError('EXEC_LAUNCHER_ENDED', 'gone')
  expect(toSpawnError({ argv: ['tool'], cwd: '/no/such/folder', env: {} }, ours)).toBe(ours)
})
