import type { ImportRule } from './import-table.ts'
import { importTable, rootFiles } from './import-table.ts'
import type { ImportStatement } from './read-imports.ts'
import { readImports } from './read-imports.ts'
import { posix } from 'node:path'

/**
 * What a source file imports against the import table, as `file:line: message`.
 * @param path relative to the repository, with slashes: `src/spec/parse-spec.ts`
 */
export function findViolations(path: string, source: string): readonly string[] {
  const rule = ruleFor(path)
  if (rule === undefined) return [`${path}:1: nothing in the import table allows this file; add its folder on purpose`]
  return readImports(source).flatMap((statement) => {
    const message = judge(path, rule, statement)
    return message === undefined ? [] : [`${path}:${statement.line}: ${message}`]
  })
}

function ruleFor(path: string): ImportRule | undefined {
  const [, folder = '', ...rest] = path.split('/')
  return rest.length === 0 ? rootFiles[folder] : importTable[folder]
}

function judge(path: string, rule: ImportRule, statement: ImportStatement): string | undefined {
  const { specifier } = statement
  if (specifier === '<computed>') return mayImportAnything(path) ? undefined : '`import()` of a computed path'
  if (specifier.startsWith('node:')) return undefined
  return specifier.startsWith('.') ? judgeFolder(path, rule, statement) : judgePackage(rule, statement)
}

/** Custom agents and the specs' own modules are named by users. */
function mayImportAnything(path: string): boolean {
  return /^src\/(?:blocks|vitest|cli|host)\//.test(path)
}

function judgeFolder(path: string, rule: ImportRule, statement: ImportStatement): string | undefined {
  const target = posix.join(posix.dirname(path), statement.specifier)
  if (!target.startsWith('src/')) {
    return statement.specifier.endsWith('package.json') ? undefined : `imports \`${target}\`, outside of src/`
  }
  if (!target.endsWith('.ts')) return `\`${statement.specifier}\` does not end in .ts`
  const own = path.split('/')[1]
  const folder = target.split('/').length > 2 ? target.split('/')[1] : undefined
  if (folder === undefined) return `imports \`${target}\`: nothing imports the files directly in src/`
  if (folder === own || folder === 'shared' || rule.folders.includes(folder)) return undefined
  return judgeLimited(`\`${folder}\``, statement, { types: rule.types, lazy: rule.lazy })
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
