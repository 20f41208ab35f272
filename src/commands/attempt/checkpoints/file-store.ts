import { MdtestError } from '../../../system/mdtest-error.ts'
import type { Entry, FoundFile } from './entry.ts'
import type { Listing } from '../git/list-files.ts'

/** Where the files of checkpoints are kept. */
export interface FileStore {
  /**
   * @param known paths that are listed whatever rules say by now, and by which rules that are new are told; none at the
   * first time
   */
  list(known?: ReadonlySet<string>): Promise<Listing>
  /** Keeps files as they are now. */
  put(files: readonly FoundFile[]): Promise<readonly Entry[]>
  /**
   * Contents by id, of which they are the hash.
   *
   * @throws MdtestError `EXEC_RESTORE_FAILED` for one that is gone or is another one
   */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>
  /** Makes these files last, under a name. Once it is done, `load` finds them whatever happens. */
  save(name: string, entries: readonly Entry[]): Promise<void>
  load(name: string): Promise<readonly Entry[]>
  /** How a person finds the checkpoint of this name. */
  place(name: string): string
}

/** @param what where it was kept */
export function lostContent(what: string): MdtestError {
  return new MdtestError('EXEC_RESTORE_FAILED', `What was kept of a file is gone or was changed: ${what}.`, {
    hint: 'Nothing was taken from it. Compare your files with your last commit before you go on.',
  })
}
