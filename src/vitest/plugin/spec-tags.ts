import { readFile } from 'node:fs/promises'
import type { TestProject, Vitest } from 'vitest/node'
import { stepsOf, type Group, type Scenario, type Spec } from '../../spec/spec.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { isTextSpec } from '../../system/spec-endings.ts'

/**
 * Declares the tags of specs for the user, where something asks for them: a filter, the list of all tags, or a project
 * that allows declared ones only. Vitest hands them on to every other project; those that the user declared keep their
 * options. Where the user sets `strictTags: true` nothing is declared.
 *
 * Vitest refuses a filter that names any other tag. So one that a filter leaves out, as `!slow` does, is declared, too; with
 * specs that a command chose every one, because it says itself that a filter left nothing.
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

/** What tells a tag that only a filter names from others. */
const ofNoTest = 'no test has it'
const leavesOutNothing = 'no test has it, and none has to'

/** The tags that a run knows of, and those that its filters ask for and no test has. */
export interface RunTags {
  readonly known: readonly string[]
  readonly unknown: readonly string[]
}

/** The tags of a run that has begun. */
export function tagsOfRun({ projects }: Pick<Vitest, 'projects'>): RunTags {
  const tags = projects.flatMap(({ config }) => config.tags)
  const namesOf = (chosen: typeof tags): readonly string[] => [...new Set(chosen.map(({ name }) => name))]
  const isKnown = ({ description = '' }): boolean => description !== ofNoTest && description !== leavesOutNothing
  return {
    known: namesOf(tags.filter(isKnown)),
    unknown: namesOf(tags.filter(({ description }) => description === ofNoTest)),
  }
}

/** The names and patterns in an expression of Vitest's. */
function namesIn(filter: string): readonly string[] {
  return (filter.match(/[^\s()!&|]+/g) ?? []).filter((word) => !/^(?:and|or|not)$/i.test(word))
}

function matchesTag(pattern: string, tag: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`).test(tag)
}

function isNegatedOnly(name: string, filters: readonly string[]): boolean {
  const words = filters.flatMap((filter) => filter.replaceAll(/\bnot\s+/gi, '!').match(/!?\s*[^\s()!&|]+/g) ?? [])
  return !words.some((word) => word.trim() === name)
}

/** Absent in the resolved configuration means strict; the specs' own project is not, unless the user says so. */
function isNeeded({ config }: Vitest, { strictTags }: { readonly strictTags?: boolean | undefined }): boolean {
  const isAskedFor = (config.tagsFilter ?? []).length > 0 || Boolean(config.listTags)
  return strictTags === undefined || (isAskedFor && !strictTags)
}

async function tagsIn(
  file: string,
  context: Pick<SpecsConfig, 'options' | 'commandLine'> & { readonly root: string },
): Promise<readonly string[]> {
  // What cannot be read is reported when it is run.
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
