import { readFile } from 'node:fs/promises'
import type { TestProject, Vitest } from 'vitest/node'
import { stepsOf, type Group, type Scenario, type Spec } from '../../spec/spec.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { isTextSpec } from '../../system/spec-endings.ts'
import { quoteRegex } from '../../system/text/quoting.ts'

/**
 * Declares the tags of specs where a filter, the list of all tags or a project with `strictTags` needs them.
 *
 * Vitest refuses a filter that names an unknown tag, so a negated one (`!slow`) is declared, too; with specs chosen by a
 * command all are, and the command tells that a filter left nothing.
 */
export async function declareTags(vitest: Vitest, project: TestProject, specsConfig: SpecsConfig): Promise<void> {
  const { config } = project
  if (!isNeeded(vitest, config)) return
  const { testFiles } = await project.globTestFiles()
  const { root } = vitest.config
  const found = await Promise.all(testFiles.map((file) => tagsIn(file, { root, ...specsConfig })))
  const declared = new Set([...vitest.config.tags, ...config.tags].map(({ name }) => name))
  const names = [...new Set(found.flat())].filter((name) => !declared.has(name)).toSorted()
  const all = [...declared, ...names]
  const filters = config.tagsFilter ?? []
  const unknown = filters.flatMap(namesIn).filter((name) => !all.some((tag) => matchesTag(name, tag)))
  const filtered = [...new Set(unknown)].filter(
    (name) => specsConfig.files !== undefined || isNegatedOnly(name, filters),
  )
  config.tags = [
    ...config.tags,
    ...names.map((name) => ({ name })),
    ...filtered.map((name) => ({ name, description: isNegatedOnly(name, filters) ? leavesOutNothing : ofNoTest })),
  ]
}

/** These descriptions mark tags that only a filter names. */
const ofNoTest = 'no test has it'
const leavesOutNothing = 'no test has it, and none has to'

/** `unknown`: only its filters name them. */
export interface RunTags {
  readonly known: readonly string[]
  readonly unknown: readonly string[]
}

export function tagsOfRun({ projects }: Pick<Vitest, 'projects'>): RunTags {
  const tags = projects.flatMap(({ config }) => config.tags)
  const namesOf = (chosen: typeof tags): readonly string[] => [...new Set(chosen.map(({ name }) => name))]
  const isKnown = ({ description = '' }): boolean => description !== ofNoTest && description !== leavesOutNothing
  return {
    known: namesOf(tags.filter(isKnown)),
    unknown: namesOf(tags.filter(({ description }) => description === ofNoTest)),
  }
}

function namesIn(filter: string): readonly string[] {
  return (filter.match(/[^\s()!&|]+/g) ?? []).filter((word) => !/^(?:and|or|not)$/i.test(word))
}

function matchesTag(pattern: string, tag: string): boolean {
  return new RegExp(`^${pattern.split('*').map(quoteRegex).join('.*')}$`).test(tag)
}

function isNegatedOnly(name: string, filters: readonly string[]): boolean {
  const words = filters.flatMap((filter) => filter.replaceAll(/\bnot\s+/gi, '!').match(/!?\s*[^\s()!&|]+/g) ?? [])
  return !words.some((word) => word.trim() === name)
}

/** Undefined in the resolved configuration means strict. The project of the specs is not strict by default. */
function isNeeded({ config }: Vitest, { strictTags }: { readonly strictTags?: boolean | undefined }): boolean {
  const isAskedFor = (config.tagsFilter ?? []).length > 0 || Boolean(config.listTags)
  return strictTags === undefined || (isAskedFor && !strictTags)
}

async function tagsIn(
  file: string,
  context: Pick<SpecsConfig, 'options' | 'commandLine'> & { readonly root: string },
): Promise<readonly string[]> {
  // The run reports a file that cannot be read.
  const text = await readFile(file, 'utf8').catch(() => '')
  if (!(isTextSpec(file) ? /@/ : /tags|include|seed|priority/i).test(text)) return []
  // The parser is large; most runs need no tags.
  const { readSpec } = await import('../../plan/read-spec.ts')
  return tagsOf(readSpec(text, { file, ...context }).spec)
}

function tagsOf({ frontMatter, scenarios }: Spec): readonly string[] {
  const parts = scenarios.flatMap((scenario) => [scenario, ...groupsIn(scenario), ...stepsOf(scenario)])
  return [...frontMatter.tags, ...parts.flatMap(({ directives }) => directives.tags ?? [])]
}

function groupsIn({ children }: Pick<Scenario | Group, 'children'>): readonly Group[] {
  return children.flatMap((child) => (child.kind === 'group' ? [child, ...groupsIn(child)] : []))
}
