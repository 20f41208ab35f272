import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { importTable } from './import-table.ts'
import { root, trackedFiles } from './tracked-files.ts'

describe('the import table', () => {
  test('holds for every file under src/', () => {
    const files = trackedFiles().filter((path) => path.startsWith('src/') && path.endsWith('.ts'))
    expect(files.length).toBeGreaterThan(0)
    const violations = files.flatMap((path) => findViolations(path, readFileSync(join(root, path), 'utf8')))
    expect(violations).toEqual([])
  })

  test('names only folders that the table knows', () => {
    const named = Object.values(importTable).flatMap(({ folders, types = [], lazy = [] }) => [
      ...folders,
      ...types,
      ...lazy,
    ])
    expect(named.filter((folder) => importTable[folder] === undefined)).toEqual([])
  })

  const cases: readonly [name: string, path: string, source: string, expected: readonly string[]][] = [
    ['lets a file import from its own folder', 'src/spec/a.ts', "import { b } from './b.ts'", []],
    ['lets every folder import shared', 'src/spec/a.ts', "import { b } from '../shared/b.ts'", []],
    ['lets every folder import from Node', 'src/spec/a.ts', "import { join } from 'node:path'", []],
    [
      'rejects a folder that is not listed',
      'src/spec/a.ts',
      "\nimport { run } from '../exec/run.ts'",
      ['src/spec/a.ts:2: may not import from `exec`'],
    ],
    [
      'rejects a re-export of a folder that is not listed',
      'src/spec/a.ts',
      "export { run } from '../exec/run.ts'",
      ['src/spec/a.ts:1: may not import from `exec`'],
    ],
    [
      'reads imports over several lines',
      'src/spec/a.ts',
      "import {\n  a,\n  b,\n} from '../exec/run.ts'",
      ['src/spec/a.ts:1: may not import from `exec`'],
    ],
    [
      'rejects a value where types are allowed',
      'src/blocks/a.ts',
      "import { type Spec, stepsOf } from '../spec/spec.ts'",
      ['src/blocks/a.ts:1: may import only types from `spec`'],
    ],
    ['lets types through where types are allowed', 'src/blocks/a.ts', "import type { S } from '../spec/spec.ts'", []],
    ['lets inline types through', 'src/blocks/a.ts', "import { type S, type T } from '../spec/spec.ts'", []],
    ['lets a type query through', 'src/blocks/a.ts', "type S = typeof import('../spec/spec.ts')", []],
    [
      'takes a default import named type for a value',
      'src/blocks/a.ts',
      "import type from '../spec/spec.ts'",
      ['src/blocks/a.ts:1: may import only types from `spec`'],
    ],
    [
      'rejects a static import where only a lazy one is allowed',
      'src/vitest/a.ts',
      "import { report } from '../report/report.ts'",
      ['src/vitest/a.ts:1: may import `report` only with `import()`'],
    ],
    ['lets a lazy import through', 'src/vitest/a.ts', "const r = await import('../report/report.ts')", []],
    [
      'rejects a lazy import of a folder that is not listed',
      'src/spec/a.ts',
      "const r = await import('../exec/run.ts')",
      ['src/spec/a.ts:1: may not import from `exec`'],
    ],
    [
      'rejects a package that is not listed',
      'src/run/a.ts',
      "import { test } from 'vitest'",
      ['src/run/a.ts:1: may not import from the package `vitest`'],
    ],
    [
      'rejects an import for its effects',
      'src/run/a.ts',
      "import 'vitest/config'",
      ['src/run/a.ts:1: may not import from the package `vitest`'],
    ],
    ['reads a package by its scope', 'src/mcp/a.ts', "import { S } from '@modelcontextprotocol/server/server.js'", []],
    ['skips comments', 'src/spec/a.ts', "// import { a } from 'vitest'\n/* \nimport { a } from 'vitest'\n*/", []],
    ['skips generated code in templates', 'src/spec/a.ts', "const code = `\nimport { a } from 'vitest'\n`", []],
    ['skips strings in exported types', 'src/spec/a.ts', "export interface A {\n  kind: 'vitest'\n}", []],
    [
      'rejects a computed import',
      'src/spec/a.ts',
      'await import(path)',
      ['src/spec/a.ts:1: `import()` of a computed path'],
    ],
    ['lets bin.ts import cli', 'src/bin.ts', "import { main } from './cli/main.ts'", []],
    [
      'keeps bin.ts from the rest',
      'src/bin.ts',
      "import { run } from './exec/run.ts'",
      ['src/bin.ts:1: may not import from `exec`'],
    ],
    [
      'rejects a folder that the table does not know',
      'src/utils/a.ts',
      '',
      ['src/utils/a.ts:1: nothing in the import table allows this file; add its folder on purpose'],
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
