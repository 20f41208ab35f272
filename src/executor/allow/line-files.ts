import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { realPathOf } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/is-inside.ts'

/** More than one line of an honest agent writes and copies. */
const maxFiles = 500
const maxCopies = 64

/** What is known of files before a line runs. */
export interface FileFacts {
  /** Whether a command may write here. Gets an absolute path, resolves links itself. */
  readonly mayWrite: (file: string) => boolean
  /** Whether the agent wrote this file itself in this run, by its name or by content. Gets an absolute path. */
  readonly isOwnFile: (file: string) => boolean
  /**
   * Whether a program (absolute path) may load code that the agent wrote: a copy of the product in a folder of the agent's.
   * `written`: real paths of what the line under judgement writes; then the program may not be there yet.
   */
  readonly mayLoadOwnFile: (program: string, written?: ReadonlySet<string>) => boolean
}

/** Something that is put under another name, or into a folder of that name. Real paths. */
interface Copy {
  /** As it is named: it may be a link, or lead through some. */
  readonly named: string
  readonly from: string
  readonly to: string
}

/**
 * What one line does with files. Its parts may run in any order, again and again or later: so nothing of what it writes
 * anywhere may be what it runs anywhere. All paths are absolute.
 */
export class LineFiles {
  readonly #facts: FileFacts
  readonly #written = new Set<string>()
  /** By both names. */
  readonly #copies = new Map<string, Copy>()
  readonly #run = new Set<string>()
  readonly #started = new Set<string>()

  constructor(facts: FileFacts) {
    this.#facts = facts
  }

  /** The line makes the content of a file. */
  write(file: string): void {
    this.#written.add(realPathOf(file))
  }

  /** The line puts a file or folder under another name, or into a folder of that name. */
  copy(from: string, to: string): void {
    const copy = { named: from, from: realPathOf(from), to: realPathOf(to) }
    this.#copies.set(JSON.stringify(copy), copy)
  }

  /** Whether the agent wrote this file in an earlier line, which is then not to be run. Remembers that the line runs it. */
  isOwn(file: string): boolean {
    this.#run.add(file)
    return this.#facts.isOwnFile(file)
  }

  /** The same for a program that loads other files. */
  isOrLoadsOwn(program: string): boolean {
    this.#started.add(program)
    return this.isOwn(program) || this.#facts.mayLoadOwnFile(program)
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
    if (written.size === 0) return []
    const both = [...this.#run].find((file) => written.has(realPathOf(file)))
    if (both !== undefined)
      return `\`${both}\` is written and run by the same line, so what it prints shows nothing. Use the product.`
    const loading = [...this.#started].find((file) => this.#isThere(file) && this.#facts.mayLoadOwnFile(file, written))
    if (loading !== undefined)
      return `\`${loading}\` may load what the same line writes, so what it prints shows nothing. Run the product where it is.`
    const linked = [...this.#written].find((file) => this.#leadsOut(file))
    if (linked !== undefined) return `\`${linked}\` leads through a link that the same line copies. Write elsewhere.`
    return [...written]
  }

  /** Whether a file is there, or will be once the line has run. */
  #isThere(file: string): boolean {
    const places = [...this.#written, ...[...this.#copies.values()].map(({ to }) => to)]
    return existsSync(file) || places.some((place) => isInside(realPathOf(file), place))
  }

  /** Whether a place is, or is below, the copy of a link that leads to where the agent may not write. */
  #leadsOut(file: string): boolean {
    return [...this.#copies.values()].some(({ named, to }) => {
      const plain = join(realPathOf(dirname(named)), basename(named))
      return [to, join(to, basename(named))].some((copy) => {
        if (!isInside(file, copy)) return false
        const name = relative(copy, file)
        const real = realPathOf(join(named, name))
        return real !== join(plain, name) && !this.#facts.mayWrite(real)
      })
    })
  }

  #made({ from, to }: Copy, written: ReadonlySet<string>): readonly string[] {
    // What is in the target already is not put there again, and again.
    const inside = [...written].filter((file) => isInside(file, from) && !isInside(file, to))
    const names = [...(this.#facts.isOwnFile(from) ? [from] : []), ...inside].map((file) => relative(from, file))
    return names.flatMap((name) => [join(to, name), join(to, basename(from), name)])
  }
}
