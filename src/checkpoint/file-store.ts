import type { Entry, FoundFile } from './entry.ts'
import type { Listing } from './list-files.ts'

/** Where the files of checkpoints are kept. */
export interface FileStore {
  list(): Promise<Listing>
  /** Keeps files as they are now. */
  put(files: readonly FoundFile[]): Promise<readonly Entry[]>
  /** Contents by id. */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>
  /** Makes these files last, under a name. Once it is done, `load` finds them whatever happens. */
  save(name: string, entries: readonly Entry[]): Promise<void>
  load(name: string): Promise<readonly Entry[]>
  /** How a person finds the checkpoint of this name. */
  place(name: string): string
}
