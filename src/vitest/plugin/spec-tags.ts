import { readFile } from 'node:fs/promises'
import type { TestProject, Vitest } from 'vitest/node'
import { placedSteps } from '../../spec/spec.ts'
import type { ReadContext } from '../../plan/spec-files.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { isTextSpec } from '../../system/spec-endings.ts'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'

/** Declares the tags of specs if a filter, `--list-tags` or a project with `strictTags` needs them. */
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
  const unknown = filters.flatMap(tagsInFilter).filter((name) => {
    const pattern = new RegExp(`^${name.split('*').map(quoteRegex).join('.*')}$`)
    return !all.some((tag) => pattern.test(tag))
  })
  // Declare unknown tags that are negated (`!slow`). `mdtest run` declares all, because it reports empty runs itself.
  const filtered = [...new Set(unknown)].filter(
    (name) => specsConfig.files !== undefined || isNegatedOnly(name, filters),
  )
  config.tags = [
    ...config.tags,
    ...names.map((name) => ({ name })),
    ...filtered.map((name) => ({ name, description: isNegatedOnly(name, filters) ? leavesOutNothing : ofNoTest })),
  ]
}

/** Descriptions of tags that a filter contains but no test has. */
const ofNoTest = 'no test has it'
const leavesOutNothing = 'no test has it, and filters only exclude it'

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

function tagsInFilter(filter: string): readonly string[] {
  return (filter.match(/[^\s()!&|]+/g) ?? []).filter((word) => !/^(?:and|or|not)$/i.test(word))
}

function isNegatedOnly(name: string, filters: readonly string[]): boolean {
  const words = filters.flatMap((filter) => filter.replaceAll(/\bnot\s+/gi, '!').match(/!?\s*[^\s()!&|]+/g) ?? [])
  return !words.some((word) => word.trim() === name)
}

/** Tags are needed if a project is strict (`strictTags` is `undefined`), or for a filter or a list of tags. */
function isNeeded({ config }: Vitest, { strictTags }: { readonly strictTags?: boolean | undefined }): boolean {
  const isAskedFor = (config.tagsFilter ?? []).length > 0 || Boolean(config.listTags)
  return strictTags === undefined || (isAskedFor && !strictTags)
}

async function tagsIn(file: string, context: ReadContext): Promise<readonly string[]> {
  // Ignore an unreadable file here: it is reported when it runs.
  const text = await readFile(file, 'utf8').catch(() => '')
  if (!(isTextSpec(file) ? /@/ : /tags|include|seed|priority/i).test(text)) return []
  // Loaded only here, because the parser is large and most runs need no tags.
  const { readSpec } = await import('../../plan/read-spec.ts')
  const { frontMatter, scenarios } = readSpec(text, { file, ...context }).spec
  const headings = scenarios.flatMap(placedSteps).flatMap((step) => step.headings)
  return [...frontMatter.tags, ...headings.flatMap(({ directives }) => directives.tags ?? [])]
}
