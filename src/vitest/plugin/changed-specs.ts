import { relative } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openStates, readLastReads } from '../../plan/rests-on/last-reads.ts'
import { readRestsOn, restedOnByAll, restsOnAny } from '../../plan/rests-on/rests-on.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { pathIn } from '../../system/files/paths.ts'
import { plural } from '../../system/text/wording.ts'
import { afterSourceFilter, isSinceLastRun } from '../private-api/untyped-members.ts'
import { printLine } from '../reporters/lines/print-line.ts'

const maxNamed = 5

/** Makes `--changed`, `related` and `--since-last-run` keep specs that depend on a change without importing it. */
export function keepChangedSpecs(
  project: TestProject,
  { configFiles, ...config }: SpecsConfig & { readonly configFiles: readonly string[] },
): void {
  const { vitest } = project
  const { root } = vitest.config
  let told = ''
  const tell = (text: string): void => {
    if (text !== '' && text !== told) printLine(vitest, text)
    told = text
  }
  afterSourceFilter(vitest, async (all, kept) => {
    const changed = vitest.config.related ?? []
    // With `--since-last-run`, `changed` is empty, but each spec must be checked.
    if (changed.length === 0 && !isSinceLastRun(vitest)) return kept
    const own = all.filter((each) => each.project === project && !kept.includes(each))
    const ofAll = restedOnByAll(changed, configFiles)
    if (ofAll !== undefined) {
      tell(`changed: ${relative(root, ofAll)} may affect all specs, so all specs run.`)
      return all.filter((each) => kept.includes(each) || own.includes(each))
    }
    const [last, stateOf] = [readLastReads(vitest.vite.config.cacheDir), openStates(root)]
    const found = await Promise.all(
      own.map(async (each) => {
        const file = each.moduleId
        const rests = await readRestsOn(file, { root, ...config, last: last[pathIn(root, file)], stateOf })
        const isRelated = restsOnAny(rests, changed, root)
        return { each, isChosen: isRelated || rests.opaque !== undefined, isUnknown: !isRelated }
      }),
    )
    const also = found.filter(({ isChosen }) => isChosen)
    tell(describeOpaque(also.flatMap(({ each, isUnknown }) => (isUnknown ? relative(root, each.moduleId) : []))))
    const chosen = new Set([...kept, ...also.map(({ each }) => each)])
    return all.filter((each) => chosen.has(each))
  })
}

function describeOpaque(specs: readonly string[]): string {
  if (specs.length === 0) return ''
  const named = specs.slice(0, maxNamed).join(', ')
  const rest = specs.length > maxNamed ? ` and ${specs.length - maxNamed} more` : ''
  return `changed: ${plural(specs.length, 'spec')} also to be run, for it is not known on which files they rest: ${named}${rest}. \`mdtest list --why\` says why, and \`watch\` in the front matter names the files.`
}
