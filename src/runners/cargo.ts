import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readCargoText } from './plain/cargo.ts'
import { noResults } from './count-tests.ts'
import type { Runner, RunScope } from './runner.ts'

/** Patterns are parts of test paths, no regular expressions. Stable Rust has no structured output: its text is read. */
export const cargo: Runner = {
  name: 'cargo',
  template: {
    all: 'cargo test --no-fail-fast',
    file: 'cargo test --no-fail-fast --manifest-path=NEAREST Cargo.toml --test=NAME | --lib -- -- MODULE::',
    pattern: 'cargo test --no-fail-fast -- -- PATTERN',
  },
  buildCommand({ run, root }) {
    return { argv: ['cargo', 'test', '--color=never', '--no-fail-fast', ...scopeArguments(run, root)] }
  },
  async readResults({ stdout, stderr, root, isCut }) {
    const results = readCargoText(`${stdout}\n${stderr}`, root)
    if (results === undefined) return noResults
    return isCut ? { ...results, counts: null } : results
  },
}

function scopeArguments(run: RunScope, root: string): readonly string[] {
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      return fileArguments(run.target, root)
    case 'pattern':
      // The first `--` ends the options of cargo, the second those of the test program.
      return ['--', '--', run.target]
  }
}

function fileArguments(target: string, root: string): readonly string[] {
  const folder = crateFolder(target, root)
  const inCrate = folder === '.' ? target : target.slice(folder.length + 1)
  const crate = `--manifest-path=${join(root, folder, 'Cargo.toml')}`
  const test = /^tests\/([^/]+?)(?:\.rs|\/main\.rs)$/.exec(inCrate)?.[1]
  if (test !== undefined) return [crate, `--test=${test}`]
  const module = /^src\/(.+?)(?:\/mod)?\.rs$/.exec(inCrate)?.[1]
  if (module === undefined) return [crate]
  if (module === 'lib') return [crate, '--lib']
  if (module === 'main') return [crate, '--bins']
  return [crate, '--lib', '--', '--', `${module.replaceAll('/', '::')}::`]
}

/** The nearest folder above with a `Cargo.toml`, relative to the repository. */
function crateFolder(target: string, root: string): string {
  let folder = dirname(target)
  while (folder !== '.' && !existsSync(join(root, folder, 'Cargo.toml'))) folder = dirname(folder)
  return folder
}
