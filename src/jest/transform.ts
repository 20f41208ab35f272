import { hashBytes } from '../host/guard/file-state.ts'
import type { Options } from '../plan/options/options.ts'
import { resolveOptions } from '../plan/options/option-defaults.ts'
import type { GeneratedModule } from '../plan/module-lines.ts'
import { refuseDebugger, ownFile } from '../system/mdtest-package.ts'

interface TransformOptions {
  readonly config: { readonly rootDir: string }
}

/** Jest calls this object to turn a spec into a test file. */
export interface SpecTransformer {
  /** `true` keeps Jest from instrumenting the file for coverage, because the file has no code of the user. */
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
  // Load the parser with the first spec, because projects without specs do not need it.
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
    // The key is a hash of the generated code, which depends on spec, included files, options and package version.
    getCacheKey: (text, file, given) => hashBytes(generate(text, file, given).code),
  }
}

/** Jest reads this export from the module of a transform. */
export const transformer = { createTransformer } as const
