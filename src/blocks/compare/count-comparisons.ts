import type { Rewrite } from '../expected-output/rewrite-source.ts'
import type { Comparisons } from '../../records/block-outcome.ts'
import type { Block } from '../../spec/spec.ts'

/**
 * What a block that passed was compared with, where some of it is written by this run. An exit code alone does not count
 * beside that: whoever accepts what a program prints has not said that it is right.
 */
export function countComparisons(block: Block, rewrites: readonly Rewrite[]): Comparisons | undefined {
  if (rewrites.length === 0) return undefined
  return { written: rewrites.length, held: expectationsOf(block).filter((one) => !isWritten(one, rewrites)).length }
}

interface Expectation {
  /** Markdown line of the first expected line. */
  readonly line: number
}

/** Those that say something: most programs are silent and end with 0. */
function expectationsOf(block: Block): readonly Expectation[] {
  if (block.kind === 'script') return block.expected
  if (block.kind !== 'console') return []
  return block.commands
    .filter(({ expected, exitCode }) => exitCode !== 0 || expected.some((text) => text.trim() !== ''))
    .map(({ line, command }) => ({ line: line + command.split('\n').length }))
}

function isWritten({ line }: Expectation, rewrites: readonly Rewrite[]): boolean {
  return rewrites.some((rewrite) => rewrite.line === line)
}
