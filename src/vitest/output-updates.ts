import type { TestProject } from 'vitest/node'
import type { OutputUpdates } from '../host/rewrite/output-rewriter.ts'
import { findProblem } from '../plan/find-problem.ts'
import type { SpecsConfig } from '../plan/specs-config.ts'

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
    findProblem: (specFile, texts) => findProblem(specFile, { texts, root: config.root, ...specsConfig }),
    onRewritten(filepath, { added, updated }) {
      const unchanged = { fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0 }
      vitest.snapshot.add({ ...unchanged, filepath, added, updated })
    },
  }
}
