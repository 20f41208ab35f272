import type { AgentEvent } from './agent.ts'

/** A refused tool call, as `AgentEvent` has it. */
export type Denial = Extract<AgentEvent, { readonly type: 'denial' }>

/** One denial for each refused call, in the order they were refused; a later one that names a rule replaces. */
export function mergeDenials(denials: readonly Denial[]): readonly Denial[] {
  const merged = new Map<string, Denial>()
  denials.forEach((denial, index) => {
    const key = denial.id ?? `without id ${index}`
    const known = merged.get(key)
    if (known === undefined || (known.rule === undefined && denial.rule !== undefined)) merged.set(key, denial)
  })
  return [...merged.values()]
}
