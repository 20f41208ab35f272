import { drivesBrowser, specAgentNames } from '../agents/registry.ts'
import type { ParseSpecOptions } from '../spec/parse-spec.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'
import type { SpecsConfig } from './specs-config.ts'

/** What options and command line have to do with how a spec is read. */
export function parseOptionsOf({
  options,
  commandLine,
}: Pick<SpecsConfig, 'options' | 'commandLine'>): Omit<ParseSpecOptions, 'file' | 'readIncluded'> {
  return {
    agentNames: specAgentNames,
    agentDefault: agentName(options.agent),
    ...(commandLine.agent !== undefined && { agentOverride: agentName(commandLine.agent) }),
    drivesBrowser,
  }
}

function agentName(agent: ResolvedOptions['agent']): string {
  return typeof agent === 'string' ? agent : 'command'
}
