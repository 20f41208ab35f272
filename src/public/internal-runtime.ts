export { openSpec, type SpecRuntime } from '../vitest/runtime.ts'
