import { join, relative } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createIsSpec } from '../../plan/is-spec.ts'
import { isIndexPage, mayHavePages } from '../../plan/index-pages.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { listCopied } from '../../scenario/workspace/list-copied.ts'

/**
 * Where any markdown may be a spec, because the agent drives a browser: leaves out pages about the specs beside them.
 *
 * @returns their paths, relative to the root
 */
export async function leaveOutPages(
  { config }: Pick<TestProject, 'config'>,
  { options: { agent, include }, files }: SpecsConfig,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  // The command has chosen its files, and told of others.
  if (files !== undefined || !mayHavePages(agent)) return []
  const isSpec = createIsSpec({ root: config.root, include })
  const paths = (await listCopied({ folder: config.root, env })).files.map((path) => join(config.root, path))
  const specs = paths.filter(isSpec)
  const areIndexes = await Promise.all(specs.map((file) => isIndexPage(file, include)))
  const pages = specs.filter((_, index) => areIndexes[index]).map((file) => relative(config.root, file))
  config.exclude = [...config.exclude, ...pages.map(asPattern)]
  return pages
}

/** A path as a glob that matches it alone. */
function asPattern(path: string): string {
  return path.replaceAll(/[!()*+?@[\\\]{}]/g, String.raw`\$&`)
}
