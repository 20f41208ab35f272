import { appendFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Reporter, TestProject } from 'vitest/node'
import type { IsSpec } from '../../../plan/is-spec.ts'
import { isInside } from '../../../system/files/paths.ts'
import { summarizeSpec } from './spec-summary.ts'
import { formatStepSummary, type LinkTo } from './step-summary.ts'

/**
 * Appends a table of the specs to the summary of a GitHub Actions job, once a run. A shard leaves it to the run that
 * merges.
 */
export function stepSummaryReporters(
  project: TestProject,
  { isSpec, env }: { readonly isSpec: IsSpec; readonly env: NodeJS.ProcessEnv },
): readonly Reporter[] {
  const { vitest } = project
  const { GITHUB_STEP_SUMMARY: file } = env
  if (!file || vitest.config.watch) return []
  return [
    {
      onTestRunEnd(modules) {
        if (vitest.config.reporters.some((reporter) => Array.isArray(reporter) && reporter[0] === 'blob')) return
        const specs = modules
          .filter((module) => module.project === project && isSpec(module.moduleId))
          .map(summarizeSpec)
        if (specs.length === 0) return
        try {
          appendFileSync(file, formatStepSummary(specs, linksTo(vitest.config.root, env)))
        } catch (error: unknown) {
          // A summary that cannot be written must not fail the run.
          vitest.logger.warn(`mdtest: the file \`${file}\` that GITHUB_STEP_SUMMARY names cannot be written.`, error)
        }
      },
    },
  ]
}

/** Address of a line of a file on GitHub. */
function linksTo(root: string, env: NodeJS.ProcessEnv): LinkTo {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_SHA: sha, GITHUB_WORKSPACE: top } = env
  if (!server || !repository || !sha || !top) return () => undefined
  return (file, line) => {
    const path = join(root, file)
    if (!isInside(path, top)) return undefined
    const way = relative(top, path).split(sep).map(encodePart).join('/')
    // GitHub's plain view has lines; rendered markdown has none.
    return `${server}/${repository}/blob/${sha}/${way}?plain=1#L${line}`
  }
}

/** Brackets would end a link in markdown. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll('(', '%28').replaceAll(')', '%29')
}
