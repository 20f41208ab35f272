import { basename, join, relative } from 'node:path'
import { realPathOf } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/is-inside.ts'

/** More than one line of an honest agent writes and copies. */
const maxFiles = 500
const maxCopies = 64

/** Something that is put under another name, or into a folder of that name. Real paths. */
interface Copy {
  readonly from: string
  readonly to: string
}

/**
 * What one line does with files. Its parts may run in any order, again and again or later: so nothing of what it writes
 * anywhere may be what it runs anywhere. All paths are absolute.
 */
export class LineFiles {
  readonly #isOwnFile: (file: string) => boolean
  readonly #written = new Set<string>()
  /** By both names. */
  readonly #copies = new Map<string, Copy>()
  readonly #run = new Set<string>()

  /** @param isOwnFile whether the agent wrote this file in an earlier line */
  constructor(isOwnFile: (file: string) => boolean) {
    this.#isOwnFile = isOwnFile
  }

  /** The line makes the content of a file. */
  write(file: string): void {
    this.#written.add(realPathOf(file))
  }

  /** The line puts a file or folder under another name, or into a folder of that name. */
  copy(from: string, to: string): void {
    const copy = { from: realPathOf(from), to: realPathOf(to) }
    this.#copies.set(JSON.stringify(copy), copy)
  }

  /** Whether the agent wrote this file in an earlier line, which is then not to be run. Remembers that the line runs it. */
  isOwn(file: string): boolean {
    this.#run.add(file)
    return this.#isOwnFile(file)
  }

  /** All that holds words of the line once it has run, or of what the agent wrote before; a sentence where that may not be. */
  settle(): readonly string[] | string {
    const written = new Set(this.#written)
    // Each copy may be of what another one made.
    for (let before = -1, rounds = 0; before < written.size && rounds <= this.#copies.size; rounds += 1) {
      before = written.size
      if (written.size > maxFiles || this.#copies.size > maxCopies)
        return 'The line copies more than can be judged. Copy in parts.'
      for (const copy of this.#copies.values()) for (const file of this.#made(copy, written)) written.add(file)
    }
    const both = written.size === 0 ? undefined : [...this.#run].find((file) => written.has(realPathOf(file)))
    if (both === undefined) return [...written]
    return `\`${both}\` is written and run by the same line, so what it prints shows nothing. Use the product.`
  }

  #made({ from, to }: Copy, written: ReadonlySet<string>): readonly string[] {
    // What is in the target already is not put there again, and again.
    const inside = [...written].filter((file) => isInside(file, from) && !isInside(file, to))
    const names = [...(this.#isOwnFile(from) ? [from] : []), ...inside].map((file) => relative(from, file))
    return names.flatMap((name) => [join(to, name), join(to, basename(from), name)])
  }
}
