import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, trackedFiles } from './tracked-files.ts'

const files = trackedFiles()
const isText = (path: string): boolean => !/\.(?:png|gif|jpg|webp|ico|tgz|zip|gz)$/.test(path)

describe('tracked files', () => {
  test('hold no path of a machine', () => {
    // Put together here, so that this file does not match itself.
    const machinePath = new RegExp(String.raw`(?<![\w.~$}/-])/(?:${['wor' + 'k', 'ro' + 'ot'].join('|')})/\w`)
    expect(findLines(files.filter(isText), machinePath)).toEqual([])
  })

  test('lock files name no registry', () => {
    const locks = files.filter((path) => path.endsWith('package-lock.json'))
    expect(locks).toContain('package-lock.json')
    expect(findLines(locks, /"resolved":\s*"[a-z+]+:|\/\/registry\./)).toEqual([])
  })

  test('every package.json of a lane and of the root has its lock file', () => {
    const packages = files.filter((path) => /^(?:test\/(?:lanes\/[^/]+|real-agents)\/)?package\.json$/.test(path))
    expect(packages.length).toBeGreaterThan(1)
    expect(packages.filter((path) => !files.includes(path.replace(/\.json$/, '-lock.json')))).toEqual([])
  })

  test('of the program have at most 350 lines, styles and scripts too', () => {
    const own = files.filter((path) => /^(?:src|scripts|bench)\/.*\.(?:ts|mjs|css|html)$/.test(path))
    const lines = (path: string): number => readFileSync(join(root, path), 'utf8').split('\n').length - 1
    expect(own.length).toBeGreaterThan(500)
    expect(own.filter((path) => lines(path) > 350)).toEqual([])
  })

  test('examples use no flag that lets an agent do anything', () => {
    const dangerous = /dangerous|bypass-?permissions|--yolo|full-auto|skip-permissions/i
    const examples = files.filter((path) => path.startsWith('examples/'))
    expect(examples.length).toBeGreaterThan(0)
    expect(findLines(examples, dangerous)).toEqual([])
  })
})

function findLines(paths: readonly string[], pattern: RegExp): readonly string[] {
  return paths.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
  )
}
