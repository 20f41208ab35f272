export { mdtest } from '../vitest/plugin/mdtest.ts'
export type { CommandAgent, Options } from '../plan/options/options.ts'
export type { StepMeta } from '../plan/step-meta.ts'
export { MdtestError, type MdtestErrorCode } from '../system/mdtest-error.ts'
