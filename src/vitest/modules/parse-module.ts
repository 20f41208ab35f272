import { parseAst } from 'vitest/node'

/** Syntax tree of a module. Offsets count UTF-16 code units. */
export type Program = ReturnType<typeof parseAst>

/**
 * Undefined for a module that is not valid. The parser is that of the installed Vite: before Vite 8 it knows no types.
 */
export function parseModule(code: string): Program | undefined {
  try {
    return parseAst(code, { lang: 'ts' })
  } catch {
    // Vitest reports the error when it runs the file.
    return undefined
  }
}
