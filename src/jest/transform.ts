import { createHash } from 'node:crypto'
import type { Options } from '../plan/options/options.ts'
import { resolveOptions } from '../plan/options/resolve-options.ts'
import type { GeneratedModule } from '../plan/module-lines.ts'
import { refuseDebugger, ownFile } from '../system/own-package.ts'

interface TransformOptions {
  readonly config: { readonly rootDir: string }
}

/** Jest makes test files of specs with it. */
export interface SpecTransformer {
  /** The test file has its own source map and none of the user's code to cover. */
  readonly canInstrument: true
  process(text: string, file: string, options: TransformOptions): { readonly code: string; readonly map: object }
  getCacheKey(text: string, file: string, options: TransformOptions): string
}

/**
 * Called by Jest for `transform: { '\\.test\\.md$': ['vitest-mdtest/jest', options] }`.
 *
 * @throws {MdtestError} `OPTION_INVALID` if an option is unknown or out of range.
 */
export async function createTransformer(options: Options = {}): Promise<SpecTransformer> {
  refuseDebugger()
  const resolved = resolveOptions(options)
  // Loaded with the first spec: a project without one does not pay for the parser.
  const [{ planSpec }, { generateProblems }, { generateTestFile }] = await Promise.all([
    import('../plan/plan-spec.ts'),
    import('../plan/module-lines.ts'),
    import('./generate-test-file.ts'),
  ])
  const runtime = ownFile('#jest-runtime')
  const generate = (text: string, file: string, { config: { rootDir: root } }: TransformOptions): GeneratedModule => {
    const planned = planSpec(text, { file, root, options: resolved, commandLine: {} })
    return planned.ok
      ? generateTestFile({ ...planned.plan, root, options: resolved }, { text, runtime })
      : generateProblems(planned, { file, root, text })
  }
  return {
    canInstrument: true,
    process: generate,
    // The key holds all that the test file depends on: included files, options, the version of this package.
    getCacheKey: (text, file, given) =>
      createHash('sha256')
        .update(generate(text, file, given).code)
        .digest('hex'),
  }
}

/** The name that Jest looks up in the module of a transform. */
export const transformer = { createTransformer } as const // nothing is added to it
