import type { TreeHold } from './hold-tree.ts'
import type { EndRace } from '../wait-for-end.ts'

/** A command that can be stopped for a while. */
export interface Holding {
  hold(): Promise<readonly string[]>
  release(): void
}

/** @param parts what there is once the command runs */
export function holding(parts: () => { readonly race: EndRace; readonly hold: TreeHold } | undefined): Holding {
  return {
    async hold() {
      const { race, hold } = parts() ?? {}
      race?.pause()
      return (await hold?.stop()) ?? []
    },
    release() {
      const { race, hold } = parts() ?? {}
      hold?.resume()
      race?.resume()
    },
  }
}
