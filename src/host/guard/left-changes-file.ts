import { join } from 'node:path'
import { hashBytes } from './hash-file.ts'

/** Where it is noted what agents left changed in a root (absolute path). */
export function leftChangesFile(root: string): { readonly packages: string; readonly file: string } {
  const packages = join(root, 'node_modules')
  // Another root may have a link to the same packages.
  const name = `changed-by-agents-${hashBytes(root).slice(0, 12)}.json`
  return { packages, file: join(packages, '.cache', 'vitest-mdtest', name) }
}
