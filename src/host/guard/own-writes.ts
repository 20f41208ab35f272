import { hashBytes, hashFile } from './hash-file.ts'

/** Files that mdtest itself rewrote while agents may be at work: a change to what it wrote is nobody else's. */
export class OwnWrites {
  readonly #hashes = new Map<string, string>()

  /** The file now holds this text. */
  add(file: string, text: string): void {
    this.#hashes.set(file, hashBytes(text))
  }

  /** Whether the file is as it was last written here. */
  isAsWritten(file: string): boolean {
    const hash = this.#hashes.get(file)
    return hash !== undefined && hash === hashFile(file)
  }
}
