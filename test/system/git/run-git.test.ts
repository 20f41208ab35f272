import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorCode } from '../../../src/system/error-facts.ts'
import { GitFailure, runGit } from '../../../src/system/git/git.ts'

let folder: string
const env = { PATH: process.env.PATH, HOME: '/nonexistent' }

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-git-')))
  execFileSync('git', ['init', '-q'], { cwd: folder })
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('starts no program that the settings of the repository name', async () => {
  const started = join(folder, 'started')
  const program = join(folder, 'program')
  writeFileSync(program, `#!/bin/sh\necho "$0" >> '${started}'\n`)
  writeFileSync(join(folder, 'reference-transaction'), `#!/bin/sh\necho hook >> '${started}'\n`)
  for (const file of [program, join(folder, 'reference-transaction')]) chmodSync(file, 0o755)
  const set = (name: string, value: string): unknown => execFileSync('git', ['config', name, value], { cwd: folder })
  set('core.fsmonitor', program)
  set('core.hooksPath', folder)
  await runGit(['status', '--porcelain'], { folder, env })
  const blob = await runGit(['hash-object', '-w', '--stdin'], { folder, env }, { stdin: 'x' })
  await runGit(['update-ref', 'refs/mdtest/x', blob.toString().trim()], { folder, env })
  expect(existsSync(started)).toBe(false)
  execFileSync('git', ['update-ref', '-d', 'refs/mdtest/x'], { cwd: folder })
  expect(existsSync(started)).toBe(true)
})

test('is led nowhere by the variables of a hook, and by those of its caller', async () => {
  const led = { ...env, GIT_DIR: '/nonexistent', GIT_INDEX_FILE: '/nonexistent' }
  expect((await runGit(['rev-parse', '--show-toplevel'], { folder, env: led })).toString()).toBe(`${folder}\n`)
  const asked = runGit(['rev-parse', '--git-dir'], { folder, env }, { variables: { GIT_DIR: '/nonexistent' } })
  await expect(asked).rejects.toThrow('not a git repository')
})

test('says what git said, or how it ended', async () => {
  await expect(runGit(['rev-parse', 'none'], { folder, env })).rejects.toThrow(/^fatal: ambiguous argument/)
  await expect(runGit(['config', 'no.such'], { folder, env })).rejects.toThrow('it ended with exit code 1')
  const failure = await runGit(['status'], { folder, env: { PATH: folder } }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(GitFailure)
  expect(errorCode(failure instanceof Error ? failure.cause : undefined)).toBe('ENOENT')
})
