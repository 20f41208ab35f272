import { resolveOptions, type ResolvedOptions } from '../plan/options/option-defaults.ts'
import { ownFile } from '../system/mdtest-package.ts'
import type { ProjectConfig } from './mdtest-project.ts'

/** Options of the project that a spec belongs to; `undefined` if the file is not a spec. */
export function specOptions(file: string, config: ProjectConfig): ResolvedOptions | undefined {
  const pattern = ownTransform(config)?.[0]
  return pattern !== undefined && new RegExp(pattern).test(file) ? optionsOf(config) : undefined
}

export function optionsOf(config: ProjectConfig): ResolvedOptions {
  return resolveOptions(ownTransform(config)?.[2] ?? {})
}

function ownTransform({ transform }: ProjectConfig): ProjectConfig['transform'][number] | undefined {
  const own = ownFile('vitest-mdtest/jest')
  return transform.find(([, file]) => file === own)
}

/** Options that must be the same in all projects, because they apply to the whole run. */
const shared = ['agent', 'maxAgents', 'maxRunCostUsd', 'maxRunTokens'] as const satisfies (keyof ResolvedOptions)[]

export function findOtherOptions(own: ResolvedOptions, ofRun: ResolvedOptions): string | undefined {
  const name = shared.find((each) => JSON.stringify(own[each]) !== JSON.stringify(ofRun[each]))
  return (
    name &&
    `Jest's projects have different values of \`${name}\`, which applies to a whole run. Give all projects the same value.`
  )
}
