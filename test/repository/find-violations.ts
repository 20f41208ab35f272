import type { ImportRule } from './import-table.ts'
import { faces } from './faces.ts'
import { importTable, openRooms, rootFiles } from './import-table.ts'
import type { ImportStatement } from './read-imports.ts'
import { readImports } from './read-imports.ts'
import { posix } from 'node:path'

/**
 * What a source file imports against the import table, as `file:line: message`.
 * @param path relative to the repository, with slashes: `src/spec/parse-spec.ts`
 */
export function findViolations(path: string, source: string): readonly string[] {
  const rule = ruleFor(path)
  if (rule === undefined) return [`${path}:1: nothing in the import table allows this file; add its room on purpose`]
  return readImports(source).flatMap((statement) => {
    const message = judge(path, rule, statement)
    return message === undefined ? [] : [`${path}:${statement.line}: ${message}`]
  })
}

/**
 * The room of a source file: the longest entry of the import table above it.
 * @param path relative to the repository, with slashes: `src/spec/parse-spec.ts`
 */
export function roomOf(path: string): string | undefined {
  return roomsByLength.find((room) => path.startsWith(`src/${room}/`))
}

const roomsByLength = Object.keys(importTable).toSorted((a, b) => b.length - a.length)

function ruleFor(path: string): ImportRule | undefined {
  const [, name = '', ...rest] = path.split('/')
  if (rest.length === 0) return rootFiles[name]
  const room = roomOf(path)
  return room === undefined ? undefined : importTable[room]
}

function judge(path: string, rule: ImportRule, statement: ImportStatement): string | undefined {
  const { specifier } = statement
  if (specifier === '<computed>') return mayImportAnything(path) ? undefined : '`import()` of a computed path'
  if (specifier.startsWith('node:')) return undefined
  return specifier.startsWith('.') ? judgeRoom(path, rule, statement) : judgePackage(rule, statement)
}

/** Custom agents and the specs' own modules are named by users. */
function mayImportAnything(path: string): boolean {
  return /^src\/(?:blocks|vitest|commands|host)\//.test(path)
}

function judgeRoom(path: string, rule: ImportRule, statement: ImportStatement): string | undefined {
  const target = posix.join(posix.dirname(path), statement.specifier)
  if (!target.startsWith('src/')) {
    return statement.specifier.endsWith('package.json') ? undefined : `imports \`${target}\`, outside of src/`
  }
  if (!target.endsWith('.ts')) return `\`${statement.specifier}\` does not end in .ts`
  if (target.split('/').length === 2) return `imports \`${target}\`: nothing imports the files directly in src/`
  const room = roomOf(target)
  if (room === undefined) return `imports \`${target}\`, which is in no room of the import table`
  if (room === roomOf(path)) return undefined
  if (!openRooms.includes(room) && !rule.rooms.includes(room)) {
    const limited = judgeLimited(`\`${room}\``, statement, { types: rule.types, lazy: rule.lazy })
    if (limited !== undefined) return limited
  }
  const face = target.slice(`src/${room}/`.length, -'.ts'.length)
  return faces[room]?.includes(face) === true ? undefined : `imports \`${target}\`, which is no face of \`${room}\``
}

function judgePackage(rule: ImportRule, statement: ImportStatement): string | undefined {
  const name = statement.specifier
    .split('/')
    .slice(0, statement.specifier.startsWith('@') ? 2 : 1)
    .join('/')
  if (rule.packages?.includes(name) === true) return undefined
  return judgeLimited(`the package \`${name}\``, statement, { types: rule.packageTypes, lazy: rule.lazyPackages, name })
}

function judgeLimited(
  what: string,
  { isTypeOnly, isLazy }: ImportStatement,
  allowed: {
    readonly types: readonly string[] | undefined
    readonly lazy: readonly string[] | undefined
    readonly name?: string
  },
): string | undefined {
  const name = allowed.name ?? what.replaceAll('`', '')
  const isLazyAllowed = allowed.lazy?.includes(name) === true
  if (isTypeOnly && (isLazyAllowed || allowed.types?.includes(name) === true)) return undefined
  if (isLazy && isLazyAllowed) return undefined
  if (isLazyAllowed) return `may import ${what} only with \`import()\``
  if (allowed.types?.includes(name) === true) return `may import only types from ${what}`
  return `may not import from ${what}`
}
