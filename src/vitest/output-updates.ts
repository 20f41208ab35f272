import { readFile } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import type { OutputUpdates } from '../host/output-rewriter.ts'
import type { SpecsConfig } from './specs-config.ts'

/** Expected output is rewritten where Vitest updates its snapshots (`-u`, the key `u`), and counts as snapshots. */
export function outputUpdates(
  { vitest, config }: TestProject,
  specsConfig: SpecsConfig,
  env: NodeJS.ProcessEnv,
): OutputUpdates {
  return {
    mode() {
      // With the key `u` it is `all` for one run.
      if (vitest.snapshot.options.updateSnapshot !== 'all') return 'off'
      if (env.CI !== undefined && !['', '0', 'false'].includes(env.CI)) return 'refused'
      return vitest.config.snapshotOptions.updateSnapshot === 'all' ? 'always' : 'once'
    },
    async findProblem(specFile, texts) {
      const { planSpec } = await import('./plan-spec.ts')
      const source = texts.get(specFile) ?? (await readFile(specFile))
      const planned = planSpec(source, { file: specFile, root: config.root, texts, ...specsConfig })
      const [first] = planned.ok ? [] : planned.problems
      return first && `line ${first.line}: ${first.message}`
    },
    onRewritten(filepath, { added, updated }) {
      const unchanged = { fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0 }
      vitest.snapshot.add({ ...unchanged, filepath, added, updated })
    },
  }
}
