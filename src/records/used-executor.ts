export const usedSandboxes = ['bubblewrap', 'none'] as const

/** How the agent was confined while mdtest executed the product. */
export interface UsedExecutor {
  readonly sandbox: (typeof usedSandboxes)[number]
  readonly why?: string
}

export function executorWord({ sandbox, why }: UsedExecutor): string {
  if (sandbox !== 'none') return `mdtest, sandbox ${sandbox}`
  return why === undefined ? 'mdtest, no sandbox' : `mdtest, no sandbox: ${why}`
}

/** The weakest confinement of several runs; `undefined` if mdtest did not execute the product in any of them. */
export function leastExecutor(all: readonly (UsedExecutor | undefined)[]): UsedExecutor | undefined {
  const used = all.filter((executor) => executor !== undefined)
  return used.find(({ sandbox }) => sandbox === 'none') ?? used[0]
}
