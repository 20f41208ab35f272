/** Who executes the product while an agent carries out prose: its own tools, or mdtest alone. */
export const executorModes = ['agent', 'mdtest'] as const // literals, for the type

/** Whether the process of such an agent is in a sandbox: always, or nothing runs; where there is one; never. */
export const sandboxModes = ['require', 'auto', 'off'] as const // literals, for the type

export interface Executor {
  readonly mode: (typeof executorModes)[number]
  readonly sandbox: (typeof sandboxModes)[number]
}

/** What one of option, front matter and command line says of it. Only what was written is present. */
export type GivenExecutor = Partial<Executor>

/**
 * Applies the precedence: what a layer does not say is as the layer below says it.
 * @param layers the one that wins last; where none names a mode, one that says anything means `mdtest`
 */
export function mergeExecutor(layers: readonly (GivenExecutor | undefined)[]): Executor {
  const given = layers.filter((layer) => layer !== undefined)
  return { mode: given.length > 0 ? 'mdtest' : 'agent', sandbox: 'auto', ...Object.assign({}, ...given) }
}
