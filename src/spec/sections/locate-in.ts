import type { Block, Group, Hook, SpecLines, Step } from '../spec.ts'

/** What included files bring into every scenario of a spec. */
export interface Included {
  /** What stands above their first headings. */
  readonly preambles: readonly SpecLines[]
  /** Blocks that run before the first step. */
  readonly blocks: readonly Block[]
  readonly setups: readonly Hook[]
  /** In the order in which they run, which is the other way round. */
  readonly teardowns: readonly Hook[]
  readonly children: readonly (Group | Step)[]
}

/** What was read from an included file, with the file beside every line. */
export function locateIn(file: string, { preambles, blocks, setups, teardowns, children }: Included): Included {
  const within = <T extends object>(part: T): T & { readonly file: string } => ({ ...part, file })
  const hook = (one: Hook): Hook => within({ ...one, blocks: one.blocks.map(within) })
  const child = (one: Group | Step): Group | Step =>
    one.kind === 'group'
      ? within({ ...one, blocks: one.blocks.map(within), children: one.children.map(child) })
      : within({ ...one, blocks: one.blocks.map(within), checks: one.checks.map(within) })
  return {
    preambles: preambles.map(within),
    blocks: blocks.map(within),
    setups: setups.map(hook),
    teardowns: teardowns.map(hook),
    children: children.map(child),
  }
}
