import { acpAgentName } from '../spec/front-matter/front-matter.ts'
import { drivesBrowser, specAgentNames } from '../agents/registry.ts'
import type { ReadIncluded } from '../spec/front-matter/read-includes.ts'
import { parseSpec } from '../spec/parse-spec.ts'
import type { ParsedSpec } from '../spec/spec.ts'
import type { ResolvedOptions } from './options/option-defaults.ts'
import { contextFilesOf, createScenarioSearch, dialectOf } from './dialect-of.ts'
import type { SpecsConfig } from './specs-config.ts'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { describeFileError } from '../system/files/file-errors.ts'
import { isInside } from '../system/files/paths.ts'
import { errorCode } from '../system/error-facts.ts'
import { hashBytes } from '../host/guard/file-state.ts'

interface SpecContext extends Pick<SpecsConfig, 'options' | 'commandLine'> {
  readonly file: string
  readonly root: string
  readonly readIncluded?: ReadIncluded
}

const kept = new Map<string, { readonly key: string; readonly parsed: ParsedSpec }>()
const maxKept = 1_000

/** The result is cached until a file of the spec changes: the plugin, commands and the report read the same specs. */
export function readSpec(
  source: string | Uint8Array,
  { file, root, options, commandLine, readIncluded = readIncludedIn(root) }: SpecContext,
): ParsedSpec {
  const { dialects } = options
  const agents = [options.agent, commandLine.agent ?? []].flat().map(agentName)
  const key = JSON.stringify([root, dialects, agents, hashBytes(source)])
  const known = kept.get(file)
  const read = known?.key === key ? [...known.parsed.included, ...known.parsed.unread] : undefined
  if (known && read?.every(([path, content]) => contentOf(readIncluded(path)) === content)) return known.parsed
  let dependsOnOtherSpecs = false
  const isThere = createScenarioSearch({ root, dialects })
  const [agentDefault = '', agentOverride] = agents
  const parsed = parseSpec(source, {
    file,
    readIncluded,
    agentNames: specAgentNames,
    agentDefault,
    ...(agentOverride !== undefined && { agentOverride }),
    drivesBrowser,
    dialectOf: (path) => dialectOf(path, { root, dialects }),
    contextFiles: contextFilesOf(file, root),
    hasScenario(title, contextFile) {
      dependsOnOtherSpecs = true
      return isThere(title, contextFile)
    },
  })
  kept.delete(file)
  for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - maxKept + 1))) kept.delete(oldest)
  if (!dependsOnOtherSpecs) kept.set(file, { key, parsed })
  return parsed
}

function contentOf(found: ReturnType<ReadIncluded>): string {
  return typeof found === 'object' && 'problem' in found ? found.problem : Buffer.from(found).toString('utf8')
}

function agentName(agent: ResolvedOptions['agent']): string {
  if (typeof agent === 'string') return agent
  return 'acp' in agent ? acpAgentName(agent) : 'command'
}

const maxBytes = 1024 * 1024

export function readIncludedIn(root: string): ReadIncluded {
  return (file) => {
    try {
      if (!isInside(file, root) || !isInside(realpathSync(file), realpathSync(root))) {
        return { problem: `it is outside of the suite root ${root}. Move it into the root.` }
      }
      const stats = statSync(file)
      if (!stats.isFile()) return { problem: 'it is not a regular file.' }
      if (stats.size > maxBytes) return { problem: 'it is larger than 1 MiB. Split it.' }
      return readFileSync(file)
    } catch (error: unknown) {
      const isMissing = errorCode(error) === 'ENOENT'
      if (isMissing)
        return { problem: 'there is no such file. The path is relative to the file that includes it.', isMissing }
      return { problem: `${describeFileError(error)}. Make it readable.` }
    }
  }
}
