export { mdtest, type JestProject } from '../jest/mdtest-project.ts'
export { transformer as default, type SpecTransformer } from '../jest/transform.ts'
export type { CommandAgent, Options } from '../plan/options/options.ts'
export type { AcpAgent } from '../spec/front-matter/front-matter.ts'
