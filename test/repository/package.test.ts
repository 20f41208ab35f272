import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { describe, expect, test } from 'vitest'
import { readImports } from './read-imports.ts'
import { root } from './tracked-files.ts'

interface Manifest {
  readonly name: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string>>
  readonly imports: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
const allowed = [manifest.name, ...installed, ...Object.keys(manifest.peerDependencies)]
const packed = packedFiles()

describe('the package', () => {
  const starts = [manifest.bin, manifest.exports, manifest.imports].flatMap((paths) => Object.values(paths))
  const code = packed.filter((file) => /^dist\/.*\.c?js$/.test(file) && !isPage(file))
  const reached = reach(starts.filter(isCode), importsOfCode)
  const declared = reach(
    Object.values(manifest.exports).map((path) => path.replace(/(?<!\.d)\.js$/, '.d.ts')),
    importsOfTypes,
  )

  test('holds no code that nothing starts or imports, and at most 276 files of it', () => {
    expect(code.filter((file) => !reached.files.includes(file))).toEqual([])
    expect(code.length).toBeLessThanOrEqual(276)
  })

  test('holds all the code and the declarations that it needs', () => {
    expect([...reached.files, ...declared.files].filter((file) => !packed.includes(file))).toEqual([])
  })

  test('holds no declaration that nothing mentions', () => {
    const declarations = packed.filter((file) => file.endsWith('.d.ts'))
    expect(declarations.filter((file) => !declared.files.includes(file))).toEqual([])
  })

  test('imports what comes with Node or is installed with it, and nothing else', () => {
    expect(reached.packages.filter((name) => !allowed.includes(name))).toEqual([])
    expect(declared.packages.filter((name) => !allowed.includes(name))).toEqual([])
  })

  test('has nothing installed that it does not import', () => {
    expect(installed.filter((name) => !reached.packages.includes(name))).toEqual([])
    const peers = Object.keys(manifest.peerDependencies)
    // The server of Playwright is a program.
    expect(peers.filter((name) => !reached.packages.includes(name))).toEqual(['@playwright/mcp'])
  })

  test('says the licence of each package that it holds', () => {
    const licences = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8').split(`\n${'-'.repeat(80)}\n`)
    expect(licences.filter((text) => text.trim() !== '' && !/copyright/i.test(text))).toEqual([])
  })
})

function packedFiles(): readonly string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ files }]: [{ files: readonly { path: string }[] }] = JSON.parse(output)
  return files.map(({ path }) => path)
}

function isCode(path: string): boolean {
  return /\.c?js$/.test(path)
}

/** A script for browsers: the page loads it. */
function isPage(path: string): boolean {
  return path.startsWith('dist/report/page/')
}

/** All files that are reached from some, and the packages that these import. */
function reach(
  starts: readonly string[],
  importsOf: (file: string) => readonly string[],
): { readonly files: readonly string[]; readonly packages: readonly string[] } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const left = starts.filter((path) => path !== './package.json').map((path) => posix.normalize(path))
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (files.has(file)) continue
    files.add(file)
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) left.push(posix.join(posix.dirname(file), specifier))
      else if (!isBuiltin(specifier) && !specifier.startsWith('#')) packages.add(packageOf(specifier))
    }
  }
  return { files: [...files], packages: [...packages] }
}

function importsOfCode(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.cjs')) return [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name)
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  const reExported = staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest ?? []))
  const lazy = dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end))
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...reExported.map(({ value }) => value),
    // Users name the rest.
    ...lazy.filter((argument) => /^['"`]/.test(argument)).map((argument) => argument.slice(1, -1)),
  ]
}

function importsOfTypes(file: string): readonly string[] {
  return readImports(readFileSync(join(root, file), 'utf8')).map(({ specifier }) =>
    specifier.startsWith('.') ? specifier.replace(/\.[jt]s$/, '.d.ts') : specifier,
  )
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
