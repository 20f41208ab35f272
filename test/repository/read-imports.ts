/** One import, re-export or `import()` of a source file. */
export interface ImportStatement {
  readonly specifier: string
  /** Counted from 1. */
  readonly line: number
  /** `import type`, `export type`, or named imports that are all marked `type`. */
  readonly isTypeOnly: boolean
  /** `import('…')`. */
  readonly isLazy: boolean
}

const declaration =
  /(?<=^|[;}\n])[ \t]*(?:import\s*|(?:import|export)\b(?<clause>[^;'"`()=]*?)\bfrom\s*)(?<quote>['"])(?<specifier>[^'"\n]+)\k<quote>/g
const call =
  /(?<typeof>\btypeof\s+)?\bimport\s*\(\s*(?:(?<quote>['"])(?<specifier>[^'"\n]+)\k<quote>\s*\)(?<member>\.[A-Z])?)?/g

/** The imports of a TypeScript file, in order. `import(expression)` has the specifier `<computed>`. */
export function readImports(source: string): readonly ImportStatement[] {
  const text = blankComments(source)
  const declarations = [...text.matchAll(declaration)].map((match) => ({
    ...place(text, match),
    isTypeOnly: isTypeClause(match.groups?.['clause'] ?? ''),
    isLazy: false,
  }))
  const calls = [...text.matchAll(call)].map((match) => ({
    ...place(text, match),
    // In a type, `typeof import('x')` and `import('x').Y` load nothing.
    isTypeOnly: match.groups?.['typeof'] !== undefined || match.groups?.['member'] !== undefined,
    isLazy: true,
  }))
  return [...declarations, ...calls].toSorted((a, b) => a.line - b.line)
}

function place(text: string, match: RegExpMatchArray): { specifier: string; line: number } {
  const specifier = match.groups?.['specifier'] ?? '<computed>'
  const start = (match.index ?? 0) + match[0].search(/\S/)
  return { specifier, line: text.slice(0, start).split('\n').length }
}

function isTypeClause(clause: string): boolean {
  if (/^\s*type\b(?!\s*,|\s*$)/.test(clause)) return true
  const named = /^\s*\{(?<names>[^}]*)\}\s*$/.exec(clause)?.groups?.['names']
  if (named === undefined) return false
  const names = named.split(',').filter((name) => name.trim() !== '')
  return names.length > 0 && names.every((name) => /^\s*type\s/.test(name))
}

/** Replaces comments and the text of templates (generated code) by spaces, keeping lines. */
function blankComments(source: string): string {
  return source.replace(tokens, (token) => (/^[/`]/.test(token) ? token.replace(/[^\n]/g, ' ') : token))
}

/** The code of a TypeScript file, with blanks in place of comments. */
export function withoutComments(source: string): string {
  return source.replace(tokens, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, ' ') : token))
}

/** Comments, and what may hold their signs. */
const tokens = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
