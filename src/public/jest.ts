import { createTransformer } from '../jest/transform.ts'

export { createTransformer }
export { mdtest, type JestProject } from '../jest/mdtest-project.ts'
export type { SpecTransformer } from '../jest/transform.ts'
export type { CommandAgent, Options } from '../options/options.ts'

/** For Jest, where it cannot `require` this module and imports it. */
export default { createTransformer }
