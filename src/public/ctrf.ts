export { CtrfReporter as default, type CtrfOptions } from '../vitest/reporters/ctrf-reporter.ts'
