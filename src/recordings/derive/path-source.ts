import { quoteRegex } from '../../system/text/quote-regex.ts'

/** What stands before a path that only goes on with it: `src/app`, `"$HOME"/app`, `@/app`; and in `</app>`. */
const before = String.raw`[\p{L}\p{N}_.~@}*?)\]\/%+$-]|\$\w+["']|[})]["']|<(?=\/[\w-]+>)`

/** What a path may begin behind although that looks like a part of it: `-I/app`, `file:///app`, and escapes. */
const open = String.raw`(?<![^\s])-\p{L}|\bfile:\/\/|\\[nrt]|\\x1b\[[\d;]*m`

/** What goes on with a path and makes it another one: `/app-old`, `/app.json`, `/app*`. */
const behind = String.raw`[\p{L}\p{N}_~@%+*?{$-]|\.[\p{L}\p{N}_*]|\\ `

/** `'/app/d'`, `'/app/ {`: to `sed` and `awk` this is a pattern. */
const pattern = String.raw`(?<=')\/\w+\/(?:[dpq]?'|,\/| *[{!])`

/**
 * A regular expression, with the flag `u`, that finds an absolute path where it stands by itself or begins a longer one.
 *
 * @param forms how it may be written; default: as it is
 */
export function pathSource(path: string, forms: readonly string[] = [path]): string {
  const written = [...new Set(forms)].map(quoteRegex).join('|')
  return `(?:(?<=${open})|(?<!${before}))(?!${pattern})(?:${written})(?!${behind})`
}
