import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findHook, installHook, removeHook } from '../../../../src/commands/gate/hook/git-hook.ts'
import { useFolders, type TestFolder } from '../../../host/use-folder.ts'

const newFolder = useFolders()
const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
const machine = { nodeFolder: '/usr/bin', program: '/usr/bin/mdtest' }

function repository(): TestFolder {
  const folder = newFolder()
  mkdirSync(folder.at('project'))
  folder.git('init', '-q', 'project')
  writeFileSync(folder.at('.profile'), '#!/bin/sh\necho mine\n')
  return folder
}

test('a hook that is a link out of the repository is refused, and what it leads to stays', async () => {
  const folder = repository()
  symlinkSync(folder.at('.profile'), folder.at('project/.git/hooks/pre-commit'))
  await expect(findHook(folder.at('project'), env)).rejects.toThrow('leads out of the repository')
  expect(readFileSync(folder.at('.profile'), 'utf8')).toBe('#!/bin/sh\necho mine\n')
})

test('a link to a script of the repository stays one, and nothing is written through what stands beside it', async () => {
  const folder = repository()
  await folder.write({ 'project/scripts/pre-commit': '#!/bin/sh\necho checks\n' })
  symlinkSync('../../scripts/pre-commit', folder.at('project/.git/hooks/pre-commit'))
  symlinkSync(folder.at('.profile'), folder.at('project/scripts/pre-commit.mdtest.tmp'))
  const place = { ...(await findHook(folder.at('project'), env)), isHuskys: true }
  await installHook(place, { root: folder.at('project'), machine })
  expect(lstatSync(folder.at('project/.git/hooks/pre-commit')).isSymbolicLink()).toBe(true)
  expect(readFileSync(folder.at('project/scripts/pre-commit'), 'utf8')).toContain('mdtest')
  expect(await removeHook(place)).toBe(true)
  expect(readFileSync(folder.at('project/scripts/pre-commit'), 'utf8')).toBe('#!/bin/sh\necho checks\n')
  expect(readFileSync(folder.at('.profile'), 'utf8')).toBe('#!/bin/sh\necho mine\n')
})
