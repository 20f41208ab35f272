import { parseAst } from 'vitest/node'

/** A module as its syntax tree. Offsets count UTF-16 code units. */
export type Program = ReturnType<typeof parseAst>

/**
 * Parses a TypeScript or JavaScript module; `undefined` where it is not valid. The parser is that of the installed Vite:
 * before Vite 8 it knows no types.
 */
export function parseModule(code: string): Program | undefined {
  try {
    return parseAst(code, { lang: 'ts' })
  } catch {
    // Whoever runs the file is told where the error is.
    return undefined
  }
}
