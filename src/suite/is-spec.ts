/** Files that are specs, as a glob for `include`. */
export const specGlob = '**/*.test.md'

/** Whether a module id or path names a spec. */
export function isSpec(id: string): boolean {
  return fileOf(id).endsWith('.test.md')
}

/** The path in a module id, without its query. */
export function fileOf(id: string): string {
  return id.split('?', 1)[0] ?? id
}
