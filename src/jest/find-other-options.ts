import type { ResolvedOptions } from '../plan/options/resolve-options.ts'

/** Those that hold for a run as a whole. */
const shared = ['agent', 'maxAgents', 'maxRunCostUsd', 'maxRunTokens'] as const satisfies (keyof ResolvedOptions)[] // literals

/** Jest sets up once for all projects: why the options of one cannot hold, if they cannot. */
export function findOtherOptions(own: ResolvedOptions, ofRun: ResolvedOptions): string | undefined {
  const name = shared.find((each) => JSON.stringify(own[each]) !== JSON.stringify(ofRun[each]))
  return name && `Jest's projects have different values of \`${name}\`, which is for a whole run. Give all the same.`
}
