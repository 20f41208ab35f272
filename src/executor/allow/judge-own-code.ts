import { pathsOf, show, type Judged } from './judging.ts'
import type { Given } from './line/words.ts'

/** Programs that run, or make programs of, the files that they are given: runners of tests, compilers, builders. */
const runners: ReadonlySet<string> = new Set(
  `vitest jest mocha ava tap jasmine karma playwright cypress node-tap c8 nyc ts-node-dev nodemon vite-node esno zx swc esbuild
  pytest py.test nose2 tox behave robot rspec minitest cucumber phpunit pest
  go cargo rustc gcc g++ cc c++ clang clang++ tcc javac java kotlinc kotlin scalac scala dotnet csc mcs swift swiftc ghc
  runghc stack cabal crystal nim zig dart flutter bun deno psql mysql sqlite3 nano view`.split(/\s+/),
)

/** Names of files with code. Other files are data, which the product may be given. */
const code =
  /\.(?:[cm]?[jt]sx?|json|py|rb|php|pl|lua|sh|bash|go|rs|c|cc|cpp|cxx|h|hpp|java|jar|class|kts?|scala|cs|swift|hs|zig|nim|dart|sql|ini|toml|cfg|args|feature|robot)$/

/** By their names without versions: `npx tsx@4`. */
export function isRunner(name: string): boolean {
  return runners.has(name)
}

/** Refuses what would run files of the agent's: `pytest test_of_mine.py`. */
export function refuseOwnCode(
  { judging: { files, refuse }, scope }: Judged,
  program: string,
  args: readonly Given[],
): boolean {
  if (!runners.has(program)) return false
  const own = args
    .flatMap((arg) => [arg, { ...arg, value: arg.value?.replace(/^(?:[^=]*=|@)/s, '') }])
    .find((arg) => {
      const paths = code.test(arg.value ?? '') ? pathsOf(arg, scope) : undefined
      return paths?.some((path) => files.isOwn(path)) === true
    })
  if (own === undefined) return false
  refuse(
    `${show(program)} would run ${show(own.text)}, which you wrote yourself in this run, so what it prints shows nothing. Use the product.`,
  )
  return true
}
