import { cargo } from './templates/cargo.ts'
import { dart, flutter } from './templates/dart.ts'
import { dotnet } from './templates/dotnet.ts'
import { go } from './templates/go.ts'
import { gradle, maven } from './templates/gradle-and-maven.ts'
import { node } from './templates/node.ts'
import { playwright } from './templates/playwright.ts'
import { pytest } from './templates/pytest.ts'
import { jest, mdtest, vitest } from './templates/vitest-and-jest.ts'
import type { Runner, RunnerCommand } from './runner.ts'
import { parseJson } from '../system/text/parse-json.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { orNothing } from '../system/error-facts.ts'
import { entriesOf } from '../system/files/list-files.ts'
import { quoteWord } from '../system/text/shell-and-regex-quotes.ts'

/** If several runners match, the first one wins. Vitest and Jest precede mdtest, because they also run specs. */
const entries = [
  ...[vitest, jest, mdtest, playwright, node, pytest],
  ...[go, cargo, flutter, dart, dotnet, gradle, maven],
] as const

export type RunnerName = (typeof entries)[number]['name']

export const runners: readonly Runner<RunnerName>[] = entries

export const runnerNames: readonly RunnerName[] = entries.map(({ name }) => name)

export function runnerNamed(name: RunnerName): Runner<RunnerName> {
  return runners.find((runner) => runner.name === name) as Runner<RunnerName> // `runners` contains every runner
}

const packages = z.record(z.string(), z.unknown()).catch({})
const scripts = z.record(z.string(), z.string()).catch({})
const packageSchema = z
  .object({ scripts, dependencies: packages, devDependencies: packages })
  .catch({ scripts: {}, dependencies: {}, devDependencies: {} })

export function parsePackage(text: string | undefined): z.infer<typeof packageSchema> {
  return packageSchema.parse(parseJson(text))
}

/** Finds a project's runners by its root files, packages and `test` script. Runners in this script come first. */
export function findRunner(root: string): readonly RunnerName[] {
  const { scripts, dependencies, devDependencies } = parsePackage(readText(join(root, 'package.json')))
  const script = scripts['test'] ?? ''
  const installed = { ...dependencies, ...devDependencies }
  const names = entriesOf(root).map(({ name }) => name)
  const isNamed = ({ name, inScript }: Runner): boolean =>
    (inScript ?? new RegExp(`(?:^|[\\s/])${name}(?=\\s|$)`)).test(script)
  const hasFile = ({ files = [] }: Runner): boolean =>
    files.some(({ name, content = /^/ }) =>
      names.some((file) => name.test(file) && content.test(readText(join(root, file)) ?? '')),
    )
  const found = runners.filter(
    (runner) => isNamed(runner) || runner.packages?.some((name) => name in installed) || hasFile(runner),
  )
  const superseded = new Set(found.flatMap(({ supersedes }) => supersedes ?? []))
  return found
    .filter(({ name }) => !superseded.has(name))
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    .map(({ name }) => name)
}

function readText(file: string): string | undefined {
  return orNothing(() => readFileSync(file, 'utf8'))
}

export interface RunnerInCommand extends Required<RunnerCommand> {
  readonly runner: Runner
}

interface Asked {
  readonly text: string
  readonly argv: readonly [string, ...string[]]
  readonly scripts: Readonly<Record<string, string>>
  readonly resultsDir: string
}

const before = String.raw`(?:(?:\w+=\S*|npx|bunx|pnpm|yarn|exec|env|cross-env|uv|run|poetry|python3?|node|-m|npm exec|--?[a-z][\w-]*|--)\s+)*(?:\S*/)?`

/** Adds arguments that make the runner report each test by name. Returns `undefined` if it cannot, as in a pipe. */
export function findRunnerInCommand({ text, argv, scripts, resultsDir }: Asked): RunnerInCommand | undefined {
  const found = locate(text, scripts, 0)
  if (found === undefined) return undefined
  const { runner } = found
  const { args, env } = runner.reporting(resultsDir)
  if (runner.reporterOption !== undefined && found.text.includes(runner.reporterOption)) return undefined
  if (args.length === 0) return { runner, argv, env }
  if (!found.takesArguments) return undefined
  const added = [...found.separator, ...args]
  const [program, ...rest] = argv
  const isShell = rest.at(-2) === '-c' && rest.at(-1) === text
  const longer = isShell ? [...rest.slice(0, -1), `${text} ${added.map(quoteWord).join(' ')}`] : [...rest, ...added]
  return { runner, argv: [program, ...longer], env }
}

interface Found {
  readonly runner: Runner
  readonly text: string
  readonly takesArguments: boolean
  readonly separator: readonly string[]
}

const maxDepth = 5

function locate(text: string, scripts: Asked['scripts'], depth: number): Found | undefined {
  const last = text.split('&&').at(-1)?.trim() ?? ''
  const isPlain = !/[|;&<>`\n]|\$\(/.test(text.replaceAll('&&', ''))
  const script =
    /^(npm|pnpm|yarn)\s+(?:(?:run|run-script)\s+)?(?:(?:-s|--silent|-q)\s+)?([\w:.-]+)(\s+--(?=\s|$).*)?$/.exec(last)
  const [, manager, named = '', more = ''] = script ?? []
  const own = scripts[named] ?? scripts[named === 't' || named === 'tst' ? 'test' : '']
  if (manager !== undefined && own !== undefined) {
    const inner = depth < maxDepth ? locate(own, scripts, depth + 1) : undefined
    if (inner === undefined) return undefined
    const takesArguments = inner.takesArguments && isPlain && depth === 0
    return { ...inner, takesArguments, separator: manager === 'npm' && more === '' ? ['--'] : [] }
  }
  const runner = runners.find(({ form }) => new RegExp(`^${before}(?:${form.source})(?=\\s|$)`).test(last))
  return runner && { runner, text: last, takesArguments: isPlain && !/\s--(?:\s|$)/.test(last), separator: [] }
}
