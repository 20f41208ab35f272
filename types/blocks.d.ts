// What `ts` and `js` blocks of a spec find in scope, for editors and type checkers that look into markdown:
// `/// <reference types="vitest-mdtest/blocks" />`, or `"types": ["vitest-mdtest/blocks"]` in a tsconfig.json.
import type { ExpectStatic } from 'vitest'
import type { ModuleScope } from '../dist/blocks/module/module-scope.js'

declare global {
  /** Vitest's `expect`, of the step's own test. */
  const expect: ExpectStatic
  /** Runs a command in the scenario's shell: `` const { stdout } = await $`npm test` ``. */
  const $: ModuleScope['$']
  /** Reads a text file; a relative path starts at `dir`. */
  const readFile: ModuleScope['readFile']
  /** What earlier blocks captured, by name. */
  const captures: ModuleScope['captures']
  /** Absolute path of the scenario's working directory, or of the block's `cwd` in it. */
  const dir: string
}
