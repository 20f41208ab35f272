import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faces } from './faces.ts'
import { findCycles } from './find-cycles.ts'
import { findViolations, roomOf } from './find-violations.ts'
import { importTable, openRooms } from './import-table.ts'
import { readImports } from './read-imports.ts'
import { root, trackedFiles } from './tracked-files.ts'

const files = trackedFiles().filter((path) => path.startsWith('src/') && path.endsWith('.ts'))
const imports = files.flatMap((path) =>
  readImports(readFileSync(join(root, path), 'utf8'))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => ({ path, target: posix.join(posix.dirname(path), specifier) }))
    .filter(({ target }) => target.startsWith('src/')),
)

describe('the import table', () => {
  test('holds for every file under src/', () => {
    expect(files.length).toBeGreaterThan(0)
    const violations = files.flatMap((path) => findViolations(path, readFileSync(join(root, path), 'utf8')))
    expect(violations).toEqual([])
  })

  test('names only rooms that it knows', () => {
    const named = Object.values(importTable).flatMap(({ rooms, types = [], lazy = [] }) => [
      ...rooms,
      ...types,
      ...lazy,
    ])
    expect([...named, ...openRooms, ...Object.keys(faces)].filter((room) => importTable[room] === undefined)).toEqual(
      [],
    )
  })

  test('has no face that no other room imports', () => {
    const used = new Set(
      imports.filter(({ path, target }) => roomOf(path) !== roomOf(target)).map(({ target }) => target),
    )
    const all = Object.entries(faces).flatMap(([room, names]) => names.map((name) => `src/${room}/${name}.ts`))
    expect(all.filter((path) => !used.has(path))).toEqual([])
  })

  test('lets no rooms import each other in a circle, types included', () => {
    const arrows = imports.map(({ path, target }) => [roomOf(path) ?? path, roomOf(target) ?? target] as const)
    expect(findCycles(arrows)).toEqual([])
  })

  test('lets no files import each other in a circle, types included', () => {
    expect(findCycles(imports.map(({ path, target }) => [path, target] as const))).toEqual([])
  })

  const cases: readonly [name: string, path: string, source: string, expected: readonly string[]][] = [
    ['lets a file import from its own room', 'src/spec/a.ts', "import { b } from './b.ts'", []],
    [
      'rejects a room that is not listed',
      'src/spec/a.ts',
      "\nimport { run } from '../system/process/run-command.ts'",
      ['src/spec/a.ts:2: may not import from `system/process`'],
    ],
    [
      'reads imports over several lines',
      'src/spec/a.ts',
      "import {\n  a,\n  b,\n} from '../system/process/run-command.ts'",
      ['src/spec/a.ts:1: may not import from `system/process`'],
    ],
    [
      'rejects a value where types are allowed',
      'src/blocks/a.ts',
      "import { type Outcome, assurances } from '../records/outcome.ts'",
      ['src/blocks/a.ts:1: may import only types from `records`'],
    ],
    [
      'lets types through where types are allowed',
      'src/blocks/a.ts',
      "import type { S } from '../records/outcome.ts'",
      [],
    ],
    ['lets a type query through', 'src/blocks/a.ts', "type S = typeof import('../records/outcome.ts')", []],
    [
      'takes a default import named type for a value',
      'src/blocks/a.ts',
      "import type from '../records/outcome.ts'",
      ['src/blocks/a.ts:1: may import only types from `records`'],
    ],
    [
      'rejects a static import where only a lazy one is allowed',
      'src/vitest/a.ts',
      "import { report } from '../report/report-writer.ts'",
      ['src/vitest/a.ts:1: may import `report` only with `import()`'],
    ],
    ['lets a lazy import through', 'src/vitest/a.ts', "const r = await import('../report/report-writer.ts')", []],
    [
      'rejects a package that is not listed',
      'src/scenario/a.ts',
      "import { test } from 'vitest'",
      ['src/scenario/a.ts:1: may not import from the package `vitest`'],
    ],
    [
      'reads a package by its scope',
      'src/commands/mcp/a.ts',
      "import { S } from '@modelcontextprotocol/server/server.js'",
      [],
    ],
    ['skips comments', 'src/spec/a.ts', "// import { a } from 'vitest'\n/* \nimport { a } from 'vitest'\n*/", []],
    ['skips generated code in templates', 'src/spec/a.ts', "const code = `\nimport { a } from 'vitest'\n`", []],
    [
      'rejects a computed import',
      'src/spec/a.ts',
      'await import(path)',
      ['src/spec/a.ts:1: `import()` of a computed path'],
    ],
    [
      'keeps bin.ts from the rest',
      'src/bin.ts',
      "import { run } from './system/process/run-command.ts'",
      ['src/bin.ts:1: may not import from `system/process`'],
    ],
    [
      'rejects a room that the table does not know',
      'src/utils/a.ts',
      '',
      ['src/utils/a.ts:1: nothing in the import table allows this file; add its room on purpose'],
    ],
    [
      'rejects a file that is no face of its room',
      'src/verdict/a.ts',
      "import { readBody } from '../spec/markdown/read-body.ts'",
      ['src/verdict/a.ts:1: imports `src/spec/markdown/read-body.ts`, which is no face of `spec`'],
    ],
    [
      'rejects an import from outside of src',
      'src/spec/a.ts',
      "import { a } from '../../test/a.ts'",
      ['src/spec/a.ts:1: imports `test/a.ts`, outside of src/'],
    ],
    [
      'rejects a relative import without its ending',
      'src/spec/a.ts',
      "import { a } from './b.js'",
      ['src/spec/a.ts:1: `./b.js` does not end in .ts'],
    ],
  ]
  test.each(cases)('%s', (_name, path, source, expected) => {
    expect(findViolations(path, source)).toEqual(expected)
  })
})
