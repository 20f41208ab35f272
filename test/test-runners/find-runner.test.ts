import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findRunner } from '../../src/test-runners/runners.ts'

function foundIn(files: Readonly<Record<string, string>>): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'mdtest-find-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'src'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  return findRunner(root)
}

const manifest = (scripts: object, devDependencies: object = {}): string => JSON.stringify({ scripts, devDependencies })

test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
  ['nothing', {}, []],
  ['a broken package.json', { 'package.json': '{' }, []],
  [
    'dependencies',
    { 'package.json': manifest({}, { vitest: '4', 'vitest-mdtest': '1', jest: '30' }) },
    ['vitest', 'jest', 'mdtest'],
  ],
  [
    'the script first',
    { 'package.json': manifest({ test: 'tsc && playwright test' }, { vitest: '4', '@playwright/test': '1' }) },
    ['playwright', 'vitest'],
  ],
  ['Node.js', { 'package.json': manifest({ test: 'node --import tsx --test src' }) }, ['node']],
  ['a script that only looks alike', { 'package.json': manifest({ test: 'node build.mjs && ./jest-like' }) }, []],
  ['pytest.ini', { 'pytest.ini': '' }, ['pytest']],
  ['pyproject.toml', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['pytest']],
  ['pyproject.toml without it', { 'pyproject.toml': '[project]\nname = "a"\n' }, []],
  ['Go and Rust', { 'go.mod': 'module a\n', 'Cargo.toml': '' }, ['go', 'cargo']],
  ['Dart', { 'pubspec.yaml': 'name: a\ndev_dependencies:\n  test: any\n' }, ['dart']],
  ['Flutter', { 'pubspec.yaml': 'name: a\ndependencies:\n  flutter:\n    sdk: flutter\n' }, ['flutter']],
  ['.NET', { 'Shop.sln': '' }, ['dotnet']],
  ['Gradle', { 'build.gradle.kts': '' }, ['gradle']],
  ['Maven', { 'pom.xml': '' }, ['maven']],
])('finds the runners of a project with %s', (_, files, expected) => {
  expect(foundIn(files)).toEqual(expected)
})

test('finds none in a folder that is not there', () => {
  expect(findRunner('/nowhere/at/all')).toEqual([])
})
