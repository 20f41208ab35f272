export { mdtest } from '../vitest/mdtest.ts'
export type { CommandAgent, Options } from '../options/options.ts'
export type { StepMeta } from '../suite/step-meta.ts'
export { MdtestError, type MdtestErrorCode } from '../shared/mdtest-error.ts'
