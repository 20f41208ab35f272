import { acpAgentName } from '../spec/front-matter/acp-agent.ts'
import { drivesBrowser, specAgentNames } from '../agents/registry.ts'
import type { ReadIncluded } from '../spec/front-matter/read-includes.ts'
import { parseSpec } from '../spec/parse-spec.ts'
import type { ParsedSpec } from '../spec/spec.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'
import { contextFilesOf, createScenarioSearch } from './context-files.ts'
import { dialectOf } from './dialect-of.ts'
import { readIncludedIn } from './read-included.ts'
import type { SpecsConfig } from './specs-config.ts'

interface SpecContext extends Pick<SpecsConfig, 'options' | 'commandLine'> {
  /** Absolute path of the spec; it is not read. */
  readonly file: string
  readonly root: string
  /** Reads what it includes. Default: files of the root, as they are. */
  readonly readIncluded?: ReadIncluded
}

/**
 * Reads a spec as a run with these options and this command line does: what it includes, and for which agent. A plan of
 * another tool is known by its form for some agents alone.
 */
export function readSpec(
  source: string | Uint8Array,
  { file, root, options, commandLine, readIncluded = readIncludedIn(root) }: SpecContext,
): ParsedSpec {
  return parseSpec(source, {
    file,
    readIncluded,
    agentNames: specAgentNames,
    agentDefault: agentName(options.agent),
    ...(commandLine.agent !== undefined && { agentOverride: agentName(commandLine.agent) }),
    drivesBrowser,
    dialectOf: (path) => dialectOf(path, { root, dialects: options.dialects }),
    contextFiles: contextFilesOf(file, root),
    hasScenario: createScenarioSearch({ root, dialects: options.dialects }),
  })
}

function agentName(agent: ResolvedOptions['agent']): string {
  if (typeof agent === 'string') return agent
  return 'acp' in agent ? acpAgentName(agent) : 'command'
}
