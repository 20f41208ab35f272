import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, resolve } from 'node:path'

/**
 * Absolute path of the program that starting `bin` in `cwd` would run, or `undefined`. As POSIX says: a name with a
 * slash is taken as it is, and an empty entry of PATH means the working directory.
 *
 * @param where.path value of PATH
 * @param where.cwd absolute path of the directory the program is started in
 */
export function findOnPath(bin: string, where: { readonly path: string; readonly cwd: string }): string | undefined {
  // With a slash at its end it is the name of a folder.
  if (bin === '' || bin.endsWith('/')) return undefined
  if (isAbsolute(bin) || bin.includes('/')) return executable(resolve(where.cwd, bin))
  for (const entry of where.path.split(delimiter)) {
    const found = executable(resolve(where.cwd, entry, bin))
    if (found !== undefined) return found
  }
  return undefined
}

function executable(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return undefined
    accessSync(file, constants.X_OK)
    return file
  } catch {
    // Missing, unreadable or not executable: all the same to a look-up.
    return undefined
  }
}
