export const usedSandboxes = ['bubblewrap', 'none'] as const // literals, for the type

/** How an agent was kept from the product, where mdtest alone executed it. */
export interface UsedExecutor {
  readonly sandbox: (typeof usedSandboxes)[number]
  readonly why?: string
}

/** In a few words: `mdtest, sandbox bubblewrap`; `mdtest, no sandbox: it is off`. */
export function executorWord({ sandbox, why }: UsedExecutor): string {
  if (sandbox !== 'none') return `mdtest, sandbox ${sandbox}`
  return why === undefined ? 'mdtest, no sandbox' : `mdtest, no sandbox: ${why}`
}

/** What holds for all of these runs: the least of them. Nothing where mdtest executed in none. */
export function leastExecutor(all: readonly (UsedExecutor | undefined)[]): UsedExecutor | undefined {
  const used = all.filter((executor) => executor !== undefined)
  return used.find(({ sandbox }) => sandbox === 'none') ?? used[0]
}
