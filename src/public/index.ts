export { mdtest } from '../vitest/mdtest.ts'
export type { CommandAgent, Options } from '../options/options.ts'
export type { StepMeta } from '../vitest/provided.ts'
export { MdtestError, type MdtestErrorCode } from '../shared/mdtest-error.ts'
