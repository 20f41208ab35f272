export { openSpec, type SpecRuntime } from '../vitest/worker/runtime.ts'
