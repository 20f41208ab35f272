import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from './readers/common/results-file.ts'
import { runnerNames, type RunnerName } from './runner.ts'

const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()).catch({}),
  dependencies: z.record(z.string(), z.unknown()).catch({}),
  devDependencies: z.record(z.string(), z.unknown()).catch({}),
})

/** Packages that bring a runner. */
const packages: Readonly<Partial<Record<RunnerName, readonly string[]>>> = {
  vitest: ['vitest'],
  mdtest: ['vitest-mdtest'],
  jest: ['jest'],
  playwright: ['@playwright/test'],
}

/** Files at the root that only projects with this runner have; in brackets what has to be in them. */
const files: Readonly<Partial<Record<RunnerName, readonly (readonly [name: RegExp, content?: RegExp])[]>>> = {
  vitest: [[/^vitest\.config\.\w+$/]],
  jest: [[/^jest\.config\.\w+$/]],
  playwright: [[/^playwright\.config\.\w+$/]],
  pytest: [
    [/^pytest\.ini$|^conftest\.py$/],
    [/^pyproject\.toml$/, /^\[tool\.pytest|\bpytest\b/m],
    [/^(?:tox\.ini|setup\.cfg)$/, /^\[(?:tool:)?pytest\]/m],
    [/^requirements.*\.txt$/, /^pytest\b/m],
  ],
  go: [[/^go\.(?:mod|work)$/]],
  cargo: [[/^Cargo\.toml$/]],
  flutter: [[/^pubspec\.yaml$/, /^\s+sdk:\s*flutter\b/m]],
  dart: [[/^pubspec\.yaml$/]],
  dotnet: [[/\.(?:csproj|fsproj|vbproj|sln|slnx)$/]],
  gradle: [[/^(?:build|settings)\.gradle(?:\.kts)?$/]],
  maven: [[/^pom\.xml$/]],
}

/**
 * The runners of a project by the files at its root, those that its script `test` names first.
 * @param root absolute path
 */
export function findRunner(root: string): readonly RunnerName[] {
  const { scripts, dependencies, devDependencies } = readPackage(root)
  const script = scripts['test'] ?? ''
  const installed = { ...dependencies, ...devDependencies }
  const names = listFiles(root)
  const found = runnerNames.filter(
    (runner) =>
      isNamedIn(script, runner) ||
      packages[runner]?.some((name) => name in installed) ||
      files[runner]?.some(([name, content]) =>
        names.some((file) => name.test(file) && hasContent(join(root, file), content)),
      ),
  )
  // A package of Flutter is one of Dart, too, which `dart test` cannot run.
  const usable = found.includes('flutter') ? found.filter((runner) => runner !== 'dart') : found
  return usable.toSorted((a, b) => Number(isNamedIn(script, b)) - Number(isNamedIn(script, a)))
}

function isNamedIn(script: string, runner: RunnerName): boolean {
  if (runner === 'node') return /\bnode\b[^&|;]* --test\b/.test(script)
  return new RegExp(`(?:^|[\\s/])${runner}(?=\\s|$)`).test(script)
}

function readPackage(root: string): z.infer<typeof packageSchema> {
  const text = readText(join(root, 'package.json'))
  return packageSchema.catch({ scripts: {}, dependencies: {}, devDependencies: {} }).parse(parseJson(text))
}

function listFiles(root: string): readonly string[] {
  return existsSync(root) ? readdirSync(root) : []
}

function hasContent(file: string, content: RegExp | undefined): boolean {
  return content === undefined || content.test(readText(file) ?? '')
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A project without it.
    return undefined
  }
}
