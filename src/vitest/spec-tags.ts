import { readFile } from 'node:fs/promises'
import type { TestProject, Vitest } from 'vitest/node'
import { stepsOf, type Group, type Scenario, type Spec } from '../spec/spec.ts'
import { readIncludedIn } from '../suite/read-included.ts'

/**
 * Declares the tags of specs for the user, where something asks for them: a filter, the list of all tags, or a project
 * that allows declared ones only. Vitest hands them on to every other project; those that the user declared keep their
 * options. Where the user sets `strictTags: true` nothing is declared.
 */
export async function declareTags(vitest: Vitest, project: TestProject): Promise<void> {
  const { config } = project
  if (!isNeeded(vitest, config)) return
  const { testFiles } = await project.globTestFiles()
  const found = await Promise.all(testFiles.map((file) => tagsIn(file, vitest.config.root)))
  const declared = new Set([...vitest.config.tags, ...config.tags].map(({ name }) => name))
  const names = [...new Set(found.flat())].filter((name) => !declared.has(name)).toSorted()
  config.tags = [...config.tags, ...names.map((name) => ({ name }))]
}

/** Absent in the resolved configuration means strict; the specs' own project is not, unless the user says so. */
function isNeeded({ config }: Vitest, { strictTags }: { readonly strictTags?: boolean | undefined }): boolean {
  const isAskedFor = (config.tagsFilter ?? []).length > 0 || Boolean(config.listTags)
  return strictTags === undefined || (isAskedFor && !strictTags)
}

async function tagsIn(file: string, root: string): Promise<readonly string[]> {
  // What cannot be read is reported when it is run.
  const text = await readFile(file, 'utf8').catch(() => '')
  if (!/tags|include/.test(text)) return []
  // The parser is large; most runs need no tags.
  const { parseSpec } = await import('../spec/parse-spec.ts')
  return tagsOf(parseSpec(text, { file, readIncluded: readIncludedIn(root) }).spec)
}

function tagsOf({ frontMatter, scenarios }: Spec): readonly string[] {
  const parts = scenarios.flatMap((scenario) => [scenario, ...groupsIn(scenario), ...stepsOf(scenario)])
  return [...frontMatter.tags, ...parts.flatMap(({ directives }) => directives.tags ?? [])]
}

function groupsIn({ children }: Pick<Scenario | Group, 'children'>): readonly Group[] {
  return children.flatMap((child) => (child.kind === 'group' ? [child, ...groupsIn(child)] : []))
}
