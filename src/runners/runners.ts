import { cargo } from './cargo.ts'
import { dart } from './dart.ts'
import { dotnet } from './dotnet.ts'
import { flutter } from './flutter.ts'
import { go } from './go.ts'
import { gradle } from './gradle.ts'
import { jest } from './jest.ts'
import { maven } from './maven.ts'
import { mdtest } from './mdtest.ts'
import { node } from './node.ts'
import { playwright } from './playwright.ts'
import { pytest } from './pytest.ts'
import type { Runner, RunnerName } from './runner.ts'
import { vitest } from './vitest.ts'

/** All runners by name. */
export const runners: Readonly<Record<RunnerName, Runner>> = {
  vitest,
  mdtest,
  jest,
  playwright,
  node,
  pytest,
  go,
  cargo,
  flutter,
  dart,
  dotnet,
  gradle,
  maven,
}
