const query = '?mdtest-included'

/**
 * Module id for an included file. Nothing imports it; but where Vite has transformed a module of a file, Vitest shows the
 * lines of that file for a failure in it.
 */
export function includedModuleId(file: string): string {
  return `${file}${query}`
}

/** Whether a module id is one for an included file. */
export function isIncludedModule(id: string): boolean {
  return id.endsWith(query)
}
