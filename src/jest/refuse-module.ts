import type { ModuleRunner } from '../blocks/module/run-module.ts'

/** Vite is what makes modules of `ts` and `js` blocks, and Vitest what their `expect` is from. */
export const refuseModule: ModuleRunner = async ({ language, line }) => [
  {
    line,
    message: `Under Jest no \`${language}\` block can be run. Write it as a \`sh\` block, or run the spec with Vitest.`,
  },
]
