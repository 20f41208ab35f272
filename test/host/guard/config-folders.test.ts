import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  coarsestClockMs,
  isConfigName,
  isEnvironmentName,
  readConfigFolders,
} from '../../../src/host/guard/config-folders.ts'
import { useFolders } from '../use-folder.ts'

const newFolder = useFolders()

describe('a name of configuration', () => {
  test.each(
    `vitest.config.ts vite.config.mts vitest.workspace.js vitest.projects.ts jest.config.cjs jest.setup.ts jest.preset.js
    playwright.config.ts mdtest.config.json babel.config.json postcss.config.js vitest.config.e2e.ts
    setupTests.ts setup-vitest.mts package.json tsconfig.json tsconfig.build.json jsconfig.json deno.json deno.jsonc
    bunfig.toml lerna.json nx.json .babelrc .babelrc.js .swcrc .mocharc.yml .browserslistrc .npmrc .yarnrc .yarnrc.yml
    .pnpmfile.cjs pnpm-workspace.yaml .node-version .nvmrc .tool-versions conftest.py sitecustomize.py usercustomize.py
    pytest.ini .pytest.toml tox.ini setup.cfg pyproject.toml GNUmakefile makefile
    .env .env.local .env.test .env.test.local`.split(/\s+/),
  )('%s', (name) => {
    expect(isConfigName(name)).toBe(true)
  })

  test.each(
    `vitest.ts config.ts myvitest.config.ts vitest.config package.json.bak tsconfig.txt Makefile.am app.env .environment
    .env.example .env.sample .env.template .env.dist .env.a.b.c setup.ts setupdb.ts conftest.py.txt xpytest.ini
    README.md .npmrc.md`.split(/\s+/),
  )('is not %s', (name) => {
    expect(isConfigName(name)).toBe(name === 'vitest.config')
  })

  test('is one of variables only where it is read for them', () => {
    expect(['.env', '.env.production.local', '.npmrc', '.env.example'].map(isEnvironmentName)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('configuration in folders', () => {
  test('is found by name, whatever it is; other files are none', async () => {
    const folder = newFolder()
    await folder.write({ 'package.json': '{}', 'a.ts': '', 'tsconfig.json/x': '', 'sub/jest.config.js': '' })
    const found = readConfigFolders([folder.path])
    expect(found.get(folder.path)?.files.toSorted()).toEqual([folder.at('package.json'), folder.at('tsconfig.json')])
  })

  test('is none where there is no folder, or a file', async () => {
    const folder = newFolder()
    await folder.write({ 'a.ts': '' })
    const found = readConfigFolders([folder.at('gone'), folder.at('a.ts'), folder.at('a.ts', 'below')])
    expect([...found.values()].map(({ files }) => files)).toEqual([[], [], []])
    expect(found.get(folder.at('gone'))?.stamp).toBe('')
  })

  test('may be limited to some names', async () => {
    const folder = newFolder()
    await folder.write({ 'package.json': '{}', '.env': '' })
    const isMeant = (name: string): boolean => isConfigName(name) && !isEnvironmentName(name)
    expect(readConfigFolders([folder.path], { isMeant }).get(folder.path)?.files).toEqual([folder.at('package.json')])
  })

  test('is not read again in a folder that is as it was, except right after a change', async () => {
    const folder = newFolder()
    await folder.write({ 'package.json': '{}' })
    const first = readConfigFolders([folder.path])
    const read = first.get(folder.path)
    const later = { folders: first, takenAtMs: (read?.ctimeMs ?? 0) + coarsestClockMs + 1 }
    const atOnce = { folders: first, takenAtMs: (read?.ctimeMs ?? 0) + coarsestClockMs }
    expect(readConfigFolders([folder.path], { previous: later }).get(folder.path)).toBe(read)
    expect(readConfigFolders([folder.path], { previous: atOnce }).get(folder.path)).not.toBe(read)
  })

  test('that comes or goes is seen, also where somebody sets the times of the folder back', async () => {
    const folder = newFolder()
    await folder.write({ 'package.json': '{}' })
    utimesSync(folder.path, 1_000, 1_000)
    const first = readConfigFolders([folder.path])
    const previous = { folders: first, takenAtMs: Number.MAX_SAFE_INTEGER }
    writeFileSync(folder.at('vitest.config.ts'), '')
    utimesSync(folder.path, 1_000, 1_000)
    expect(readConfigFolders([folder.path], { previous }).get(folder.path)?.files).toContain(
      folder.at('vitest.config.ts'),
    )
    rmSync(folder.at('package.json'))
    rmSync(folder.at('vitest.config.ts'))
    utimesSync(folder.path, 1_000, 1_000)
    expect(readConfigFolders([folder.path], { previous }).get(folder.path)?.files).toEqual([])
  })
})
