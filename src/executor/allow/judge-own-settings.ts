import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathsOf, show, type Judged } from './judging.ts'
import type { Given } from './line/words.ts'

/** Files next to where a program runs, or above, that say what it starts. */
const settings: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['git', '.git .git/config .git/hooks config hooks'],
    ['npm npx pnpm pnpx yarn bun bunx', 'package.json node_modules .npmrc .yarnrc.yml .pnpmfile.cjs bunfig.toml'],
    ['deno', 'deno.json deno.jsonc package.json'],
    ['make gmake', 'GNUmakefile makefile Makefile'],
    ['cmake ninja', 'CMakeLists.txt build.ninja'],
    ['just', 'justfile Justfile .justfile'],
    ['task go-task', 'Taskfile.yml Taskfile.yaml'],
    ['rake bundle', 'Rakefile rakefile Gemfile'],
    ['go', 'go.mod go.work main.go'],
    ['cargo', 'Cargo.toml build.rs src/main.rs .cargo/config.toml'],
    ['dotnet', 'Program.cs Directory.Build.props'],
    ['mvn mvnw', 'pom.xml'],
    ['gradle gradlew', 'build.gradle build.gradle.kts settings.gradle settings.gradle.kts'],
    ['ant', 'build.xml'],
    ['composer', 'composer.json'],
    ['uv poetry pdm hatch pipenv poe tox nox invoke', 'pyproject.toml tox.ini noxfile.py tasks.py Pipfile'],
    ['mix', 'mix.exs'],
    ['docker podman docker-compose', 'Dockerfile docker-compose.yml docker-compose.yaml compose.yaml compose.yml'],
  ].flatMap(([programs = '', names = '']) =>
    programs.split(' ').map((program) => [program, names.split(' ')] as const),
  ), // pairs
)

/** Refuses what would run commands of the agent's: `npm test` where it wrote the `package.json`. */
export function refuseOwnSettings(
  { judging: { files, refuse }, scope }: Judged,
  program: string,
  args: readonly Given[],
): boolean {
  // Node.js runs files, which are judged by themselves; but `node --run` is `npm run`.
  const isRun = program === 'node' && args.some(({ value }) => value === '--run')
  const names = settings.get(isRun ? 'npm' : program) ?? []
  if (names.length === 0) return false
  // In a repository files are data.
  const isOwn = (file: string): boolean => (program === 'git' ? files.isOwn(file) : files.isOrLoadsOwn(file))
  // A folder may be named: `make -C folder`, `--directory=folder`.
  const words = args.flatMap((arg) => [arg, { ...arg, value: arg.value?.replace(/^[^=]*=/s, '') }])
  const named = words.flatMap((word) => (word.value === '' ? [] : (pathsOf(word, scope) ?? []))).filter(isFolder)
  for (const place of new Set([...(scope.cwds ?? ['/']), ...named])) {
    for (let folder = place; ; folder = dirname(folder)) {
      const own = names.map((name) => join(folder, name)).find((file) => isOwn(file))
      if (own !== undefined) {
        refuse(`${show(own)} is yours, and ${show(program)} starts what it names. Use the product.`)
        return true
      }
      if (folder === dirname(folder)) break
    }
  }
  return false
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // Not there, or no path.
  }
}
