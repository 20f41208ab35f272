import { errorCode, messageOf } from '../error-facts.ts'

const words: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied: `ls -ld` shows who may use it'],
  ['EPERM', 'not permitted: `ls -ld` shows who may use it'],
  ['ENOENT', 'it is not there, or it is a link to nothing'],
  ['ENOTDIR', 'a part of its path is a file, not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'the name is already taken'],
  ['EROFS', 'its file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EMFILE', 'too many files are open: raise `ulimit -n`'],
  ['ENFILE', 'too many files are open on this machine'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
])

/** Explains a known code such as `ENOENT` in words. Any other error keeps its own message. */
export function describeFileError(error: unknown): string {
  return words.get(errorCode(error) ?? '') ?? messageOf(error)
}

/** mdtest refused to use a path because of its kind, for example a link. The message must be shown to the user. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly code = 'REFUSED'

  constructor(place: string, why: string) {
    super(`\`${place}\` ${why}`)
  }
}

export function refusedLink(place: string, target: string): RefusedError {
  return new RefusedError(
    place,
    `is a link to \`${target}\`, and links are not followed here: put a folder in its place, or name the one that it leads to`,
  )
}
