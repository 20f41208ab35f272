import { MdtestError } from '../../../system/mdtest-error.ts'

/** What is in a folder. */
export interface Listing {
  readonly files: readonly FoundFile[]
  /** Relative paths of folders without anything, bytes as characters. */
  readonly emptyFolders: readonly string[]
}

/** Where the files of checkpoints are kept. */
export interface FileStore {
  /**
   * @param known paths of the first listing: they are listed even if a rule hides them by now, and show which rules are
   * new. Absent at the first time
   */
  list(known?: ReadonlySet<string>): Promise<Listing>
  /** Keeps files as they are now. */
  put(files: readonly FoundFile[]): Promise<readonly Entry[]>
  /**
   * Contents by id. An id is the hash of its content.
   *
   * @throws MdtestError `EXEC_RESTORE_FAILED` for one that is gone or is another one
   */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>
  /** Saves these files under a name. From then on `load` finds them, also after a crash. */
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

/**
 * One file of a checkpoint. Folders are not among them: they are where their files are.
 */
export interface Entry {
  /** Relative to the root, with `/`; each character is one byte (latin1), because file names need not be UTF-8. */
  readonly path: string
  readonly mode: '100644' | '100755' | '120000'
  /** Of its content, or of where a link leads: the same for the same bytes. */
  readonly id: string
}

/** A file that is there and has no id yet. */
export type FoundFile = Omit<Entry, 'id'>

/** The bytes of a path for Node's functions. */
export function pathBytes(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')])
}

/** The same for people. */
export function shownPath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}
