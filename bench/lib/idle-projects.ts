import { createProject, mdtestConfig, plainConfig, type Project } from './project.ts'
import { files, idleSpecText, idleTestText } from './spec-texts.ts'

/** Number of steps in each spec, and of tests in each test file */
export const stepsPerFile = 5

/** Specs whose steps do nothing. @param count number of specs */
export function idleSpecs(count: number): Promise<Project> {
  return createProject({
    'vitest.config.ts': mdtestConfig,
    ...files(count, (n) => [`specs/s${n}.test.md`, idleSpecText(`Spec ${n}`, stepsPerFile)]),
  })
}

/** Plain test files whose tests do nothing. @param count number of files */
export function idleTests(count: number): Promise<Project> {
  return createProject({
    'vitest.config.ts': plainConfig,
    ...files(count, (n) => [`tests/t${n}.test.ts`, idleTestText(`Spec ${n}`, stepsPerFile)]),
  })
}
