import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from './readers/common/results-file.ts'
import type { Runner } from './runner.ts'
import { runners, type RunnerName } from './runners.ts'

const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()).catch({}),
  dependencies: z.record(z.string(), z.unknown()).catch({}),
  devDependencies: z.record(z.string(), z.unknown()).catch({}),
})

/**
 * The runners of a project by the files at its root, those that its script `test` names first.
 * @param root absolute path
 */
export function findRunner(root: string): readonly RunnerName[] {
  const { scripts, dependencies, devDependencies } = readPackage(root)
  const script = scripts['test'] ?? ''
  const installed = { ...dependencies, ...devDependencies }
  const names = listFiles(root)
  const found = runners.filter(
    (runner) =>
      isNamedIn(script, runner) ||
      runner.packages?.some((name) => name in installed) ||
      runner.files?.some(({ name, content }) =>
        names.some((file) => name.test(file) && hasContent(join(root, file), content)),
      ),
  )
  const superseded = new Set(found.flatMap(({ supersedes }) => supersedes ?? []))
  return found
    .filter(({ name }) => !superseded.has(name))
    .toSorted((a, b) => Number(isNamedIn(script, b)) - Number(isNamedIn(script, a)))
    .map(({ name }) => name)
}

function isNamedIn(script: string, { name, inScript }: Runner): boolean {
  return (inScript ?? new RegExp(`(?:^|[\\s/])${name}(?=\\s|$)`)).test(script)
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
