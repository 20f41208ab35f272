/** Files that are specs, as a glob for `include`. */
export const specGlob = '**/*.test.md'

/** Whether a module id or path names a spec to run; one with a query of the user's, such as `?raw`, is read by others. */
export function isSpec(id: string): boolean {
  return /\.test\.md(?:\?[tv]=[^&]*)?$/.test(id)
}

/** The path in a module id, without its query. */
export function fileOf(id: string): string {
  return id.split('?', 1)[0] ?? id
}
