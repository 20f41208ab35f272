import { createHash } from 'node:crypto'
import type { Block } from '../spec.ts'

/** Digits behind those of the key: 32 bits show that blocks are other ones than those that were recorded. */
const sealLength = 8

/**
 * Stands for the blocks of a recorded step, whatever is around them: 8 hexadecimal digits.
 *
 * @param lines of the recording
 */
export function sealOf(blocks: readonly Block[], lines: readonly string[]): string {
  const hash = createHash('sha256')
  const infoAt = (line: number): string => (lines[line - 1] ?? '').replace(/^[\s>]*[`~]+/, '').trim()
  for (const block of blocks) {
    const expected = block.kind === 'script' ? block.expected : []
    const parts = [
      infoAt(block.line),
      block.code,
      // What directives above a block say of it.
      JSON.stringify(Object.entries(block.attributes).toSorted(([one], [other]) => (one < other ? -1 : 1))),
      ...expected.flatMap(({ line, text }) => [infoAt(line - 1), text]),
    ]
    for (const part of parts) hash.update(`${part.length}:${part}`)
  }
  return hash.digest('hex').slice(0, sealLength)
}
