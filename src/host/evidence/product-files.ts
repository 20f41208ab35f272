import { resolve } from 'node:path'
import { literalWords, readRules } from '../../executor/rules.ts'
import type { WrittenFile } from '../guard/source-watch.ts'
import { statsOf } from '../../system/files/paths.ts'

/**
 * Files that rules of `allow` name: the product itself. Nobody writes them while a scenario runs, not even what they held
 * before: another product in between would leave no other trace.
 */
export class ProductFiles {
  readonly #stamps: Map<string, string>

  /** @param cwd absolute path of where the scenario begins */
  constructor(cwd: string, allow: readonly string[]) {
    const files = readRules(allow)
      .flatMap(literalWords)
      .map((word) => resolve(cwd, word))
    this.#stamps = new Map([...new Set(files)].map((file) => [file, stampOf(file)]))
  }

  /** Those that were written since the last time. */
  rewritten(stepId: string | undefined): readonly WrittenFile[] {
    const found = [...this.#stamps].filter(([file, stamp]) => stampOf(file) !== stamp)
    for (const [path] of found) this.#stamps.set(path, stampOf(path))
    return found.map(([path]) => ({ path, ...(stepId !== undefined && { stepId }) }))
  }
}

/** Of what is no file, always the same. */
function stampOf(file: string): string {
  const stats = statsOf(file)
  return stats?.isFile() === true ? `${stats.ino} ${stats.ctimeMs}` : ''
}
