import { lstatSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { redactAgentFiles } from '../../../src/host/evidence/redact-files.ts'
import { useFolders } from '../use-folder.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'

const newFolder = useFolders()
const redact = (text: string): string => text.replaceAll('geheimnis', '***KEY***')

test('rewrites text files and leaves links, pipes and binary files alone', async () => {
  const folder = newFolder()
  const log = folder.at('t.log.md')
  const evidence = folder.at('t')
  await folder.write({
    't.log.md': 'a geheimnis',
    't/sub/page.txt': 'geheimnis',
    't/clean.txt': 'x',
    'product.txt': 'geheimnis',
  })
  const binary = Buffer.concat([Buffer.from([0x89, 0xff]), Buffer.from('geheimnis')])
  writeFileSync(folder.at('t/shot.png'), binary)
  symlinkSync(folder.at('product.txt'), folder.at('t/link.txt'))
  execFileSync('mkfifo', [folder.at('t/pipe')])
  const { ino } = lstatSync(folder.at('t/clean.txt'))
  redactAgentFiles({ ground: groundAt(folder.path), log, evidence }, redact)
  expect(readFileSync(log, 'utf8')).toBe('a ***KEY***')
  expect(readFileSync(folder.at('t/sub/page.txt'), 'utf8')).toBe('***KEY***')
  expect(readFileSync(folder.at('t/shot.png'))).toEqual(binary)
  expect(readFileSync(folder.at('product.txt'), 'utf8')).toBe('geheimnis')
  expect(readlinkSync(folder.at('t/link.txt'))).toBe(folder.at('product.txt'))
  expect(lstatSync(folder.at('t/clean.txt')).ino).toBe(ino)
})

test('does nothing where there is nothing, or a folder in place of the log', async () => {
  const folder = newFolder()
  await folder.write({ 't.log.md/x': 'geheimnis' })
  redactAgentFiles({ ground: groundAt(folder.path), log: folder.at('t.log.md'), evidence: folder.at('none') }, redact)
  expect(readFileSync(folder.at('t.log.md/x'), 'utf8')).toBe('geheimnis')
})
