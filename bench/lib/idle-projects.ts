import { createProject, mdtestConfig, plainConfig, type Project } from './project.ts'
import { files, idleSpecText, idleTestText } from './spec-texts.ts'

/** Steps of each spec, tests of each file. */
export const stepsPerFile = 5

/** @param count of specs whose steps do nothing */
export function idleSpecs(count: number): Promise<Project> {
  return createProject({
    'vitest.config.ts': mdtestConfig,
    ...files(count, (n) => [`specs/s${n}.test.md`, idleSpecText(`Spec ${n}`, stepsPerFile)]),
  })
}

/** @param count of test files with as many tests that do nothing */
export function idleTests(count: number): Promise<Project> {
  return createProject({
    'vitest.config.ts': plainConfig,
    ...files(count, (n) => [`tests/t${n}.test.ts`, idleTestText(`Spec ${n}`, stepsPerFile)]),
  })
}
