import { cargo } from './templates/cargo.ts'
import { dart } from './templates/dart.ts'
import { dotnet } from './templates/dotnet.ts'
import { flutter } from './templates/flutter.ts'
import { go } from './templates/go.ts'
import { gradle } from './templates/gradle.ts'
import { jest } from './templates/jest.ts'
import { maven } from './templates/maven.ts'
import { mdtest } from './templates/mdtest.ts'
import { node } from './templates/node.ts'
import { playwright } from './templates/playwright.ts'
import { pytest } from './templates/pytest.ts'
import type { Runner, RunnerName } from './runner.ts'
import { vitest } from './templates/vitest.ts'

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
