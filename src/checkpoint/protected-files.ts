import { basename } from 'node:path'
import type { Checkpoints } from './checkpoints.ts'

/** Tests, specs, snapshots, and what they need. A new one takes nothing away. */
const tests: readonly RegExp[] = [
  /\.test\.md$/,
  /\.snap(?:\.\w+)?$/,
  /(?:^|\/)__(?:tests|snapshots|mocks)__\//,
  /(?:^|\/)(?:tests?|e2e|testdata)\//,
  /^(?:specs?|fixtures)\//,
  /[._-](?:test|spec|cy)\.\w+$/,
  /(?:^|\/)test_[^/]*\.py$/,
  /Tests?\.(?:cs|fs|java|kt|swift|scala|php)$/,
]

/** Names of files that decide what a gate does; a new one counts, too. */
const settings: readonly RegExp[] = [
  /^mdtest\.config\.json$/,
  /^(?:vite|vitest|jest|playwright|cypress|karma|ava|babel|eslint|oxlint|prettier|stylelint)\.config\.\w+$/,
  /^vitest\.workspace\.\w+$/,
  /^\.(?:mocharc|eslintrc|eslintignore|oxlintrc|prettierrc|prettierignore|swcrc|npmrc)(?:\.\w+)?$/,
  /^(?:biome|nx|turbo|deno)\.jsonc?$/,
  /^[jt]sconfig[\w.-]*\.json$/,
  /^(?:pytest|tox|mypy)\.ini$|^setup\.cfg$|^pyproject\.toml$|^(?:conftest|noxfile)\.py$|^\.?ruff\.toml$|^\.flake8$/,
  /^\.golangci\.\w+$|^\.?(?:clippy|rustfmt)\.toml$|^(?:dart_test|analysis_options)\.yaml$/,
  /^(?:GNU)?[Mm]akefile$|^[Jj]ustfile$|^Taskfile\.ya?ml$/,
]

/** What somebody did who had to make tests pass. */
export interface Change {
  /** Paths relative to the root, with `/`. */
  readonly paths: readonly string[]
  readonly checkpoints: Pick<Checkpoints, 'read'>
  /** Names of the checkpoints before and after it. */
  readonly before: string
  readonly after: string
  /** Further files that decide what is run, relative to the root. */
  readonly others: readonly string[]
}

/** Which of the changed files are protected: by changing these, red becomes green and nothing is fixed. */
export async function findProtected({ paths, others, ...change }: Change): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) {
    const isSetting = others.includes(path) || settings.some((pattern) => pattern.test(basename(path)))
    if (isSetting || (await isOldTest(path, change)) || (await hasOtherScripts(path, change))) found.push(path)
  }
  return found
}

/** Words of a command that name the program it starts, where that may be a file: `sh check.sh`, `./check.sh -v`. */
export function programsOf(command: string): readonly string[] {
  const split = command.split(/\s+|(?=[;&|()])|(?<=[;&|()])/).map((word) => word.replaceAll(/["']/g, ''))
  const words = split.filter((word) => word !== '')
  const isStart = (index: number): boolean => index === 0 || /^[;&|()]$|^\w+=/.test(words[index - 1] ?? '')
  const isInterpreted = (index: number): boolean =>
    index > 0 && interpreters.has(basename(words[index - 1] ?? '')) && isStart(index - 1)
  return words
    .filter((word, index) => !/^[;&|()]$/.test(word) && (isStart(index) || isInterpreted(index)))
    .map((word) => word.replace(/^\.\//, ''))
}

const interpreters: ReadonlySet<string> = new Set('sh bash dash zsh node bun python python3 ruby perl php'.split(' '))

type Times = Pick<Change, 'checkpoints' | 'before' | 'after'>

async function isOldTest(path: string, { checkpoints, before }: Times): Promise<boolean> {
  if (!tests.some((pattern) => pattern.test(path))) return false
  return (await checkpoints.read(before, path)) !== undefined
}

/** A package may get dependencies; its scripts, and settings of tools, stay. */
async function hasOtherScripts(path: string, { checkpoints, before, after }: Times): Promise<boolean> {
  if (basename(path) !== 'package.json') return false
  const [old, current] = await Promise.all([checkpoints.read(before, path), checkpoints.read(after, path)])
  return old !== undefined && (current === undefined || withoutDependencies(old) !== withoutDependencies(current))
}

function withoutDependencies(text: string): string {
  try {
    const manifest: unknown = JSON.parse(text)
    return JSON.stringify(manifest, (key, value: unknown) => (key.endsWith('ependencies') ? undefined : value))
  } catch {
    return text // Not JSON: any change counts.
  }
}
