import type { Step } from '../spec/spec.ts'

/** Directives take a step out of the scenario as if it were not written yet. */
export function isLeftOut({ directives }: Step): boolean {
  return directives.skip !== undefined || directives.todo === true
}
