import { isAbsolute, relative } from 'node:path'
import type { TestProject, TestSpecification } from 'vitest/node'
import { readRestsOn, restsOnAny, type RestsOn } from '../../plan/rests-on.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { hasSpecEnding } from '../../system/spec-endings.ts'
import { plural } from '../../system/text/wording.ts'
import { afterSourceFilter, isSinceLastRun } from '../private/untyped-members.ts'
import { printLine } from '../reporters/lines/print-line.ts'

const maxNamed = 5

/**
 * Has `--changed`, `related` and `--since-last-run` keep the specs that may rest on what changed. Vitest follows imports,
 * and most specs import nothing: it would leave them out without a word.
 */
export function keepChangedSpecs(project: TestProject, config: SpecsConfig): void {
  const { vitest } = project
  const { root } = vitest.config
  let told = ''
  afterSourceFilter(vitest, async (all, kept) => {
    const changed = vitest.config.related ?? []
    // Files of the last run that Vitest knows of are no list of what changed.
    if (changed.length === 0 && !isSinceLastRun(vitest)) return kept
    const left = all.filter((each) => each.project === project && !kept.includes(each))
    const found = await Promise.all(
      left.map(async (each) => {
        const known = await readRestsOn(each.moduleId, { root, ...config })
        return { each, rests: known.opaque === undefined ? await withModules(known, each) : known }
      }),
    )
    const also = found.filter(({ rests }) => restsOnAny(rests, changed, root))
    const opaque = also.filter(({ rests }) => rests.opaque !== undefined).map(({ each }) => each.moduleId)
    const text = opaque.length === 0 ? '' : describeOpaque(opaque.map((file) => relative(root, file)))
    if (text !== '' && text !== told) printLine(vitest, text)
    told = text
    const chosen = new Set([...kept, ...also.map(({ each }) => each)])
    return all.filter((each) => chosen.has(each))
  })
}

/** Modules of Node by which code reads files or starts programs. */
const reachingOut = /^(?:node:)?(?:fs|child_process|cluster|module|worker_threads|http|https|http2|net)(?:\/\w+)?$/

/** Vitest follows imports from file to file, and the code of a block is no file. */
async function withModules(rests: RestsOn, { project, moduleId }: TestSpecification): Promise<RestsOn> {
  const { ssr } = project.vite.environments
  const files = new Set(rests.files)
  const seen = new Set<string>()
  let isReachingOut = false
  const follow = async (id: string): Promise<void> => {
    if (seen.has(id)) return
    seen.add(id)
    const { deps = [], dynamicDeps = [] } = (await ssr.transformRequest(id)) ?? {}
    isReachingOut ||= id !== moduleId && [...deps, ...dynamicDeps].some((name) => reachingOut.test(name))
    const node = ssr.moduleGraph.getModuleById(id)
    if (node?.file != null) files.add(node.file)
    for (const { id: imported } of node?.importedModules ?? []) {
      const isOwn = imported !== null && isAbsolute(imported) && !imported.includes('/node_modules/')
      // Vite counts what a spec is made of as imported.
      if (isOwn && !hasSpecEnding(imported)) await follow(imported)
    }
  }
  try {
    await follow(moduleId)
  } catch {
    return { ...rests, opaque: 'its code cannot be loaded' }
  }
  const opaque = 'its code reads files or starts programs'
  return isReachingOut ? { ...rests, opaque } : { ...rests, files: [...files] }
}

function describeOpaque(specs: readonly string[]): string {
  const named = specs.slice(0, maxNamed).join(', ')
  const rest = specs.length > maxNamed ? ` and ${specs.length - maxNamed} more` : ''
  return `changed: ${plural(specs.length, 'spec')} also to be run, for it is not known on which files they rest: ${named}${rest}. \`watch\` in the front matter names them.`
}
