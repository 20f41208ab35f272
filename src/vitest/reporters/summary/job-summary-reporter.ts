import { appendFile } from 'node:fs/promises'
import type { Reporter, TestProject } from 'vitest/node'
import type { IsSpec } from '../../../plan/spec-files.ts'
import { hasReporter } from '../lines/print-line.ts'
import { summarizeSpec } from './job-summary-of-spec.ts'

/** Writes a table to the summary of a GitHub Actions job. With shards, only the merging run writes the table. */
export function stepSummaryReporters(project: TestProject, isSpec: IsSpec): readonly Reporter[] {
  const { vitest } = project
  const { env } = process
  const { GITHUB_STEP_SUMMARY: file } = env
  if (!file || vitest.config.watch) return []
  return [
    {
      async onTestRunEnd(modules) {
        if (hasReporter(vitest, 'blob')) return
        const specs = modules
          .filter((module) => module.project === project && isSpec(module.moduleId))
          .map(summarizeSpec)
        if (specs.length === 0) return
        try {
          const { formatStepSummary, linksOf } = await import('../../../pull-request/job-summary.ts')
          const { readWorkflow } = await import('../../../pull-request/workflow.ts')
          const { repository } = readWorkflow(env, vitest.config.root) ?? {}
          await appendFile(file, formatStepSummary(specs, linksOf(repository)))
        } catch (error: unknown) {
          // A summary that cannot be written must not fail the run.
          vitest.logger.warn(`mdtest: the file \`${file}\` that GITHUB_STEP_SUMMARY names cannot be written.`, error)
        }
      },
    },
  ]
}
