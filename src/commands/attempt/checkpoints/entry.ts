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
