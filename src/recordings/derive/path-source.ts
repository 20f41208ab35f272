import { quoteRegex } from '../../system/text/quoting.ts'

/** What stands before a path that only goes on with it: `src/app`, `"$HOME"/app`, `@/app`; and in `</app>`. */
const before = String.raw`[\p{L}\p{N}_.~@}*?)\]\/%+$-]|\$\w+["']|[})]["']|<(?=\/[\w-]+>)`

/** What a path may begin behind although that looks like a part of it: `-I/app`, `-d @/app`, `file:///app`, and escapes. */
const open = String.raw`(?<![^\s])-\p{L}|[\s=]@|\bfile:\/\/|\\[nrt]|\\x1b\[[\d;]*m`

/** What goes on with a name: `/app-old`, `/app.json`. */
const inName = String.raw`[\p{L}\p{N}_~@%+-]|\.[\p{L}\p{N}_]|\\ `

/** What makes other paths of it: `/app*`, `/app$1`. */
const pattern = String.raw`[*?{$]|\.\*`

/** `'/app/d'`, `'/app/ {`: to `sed` and `awk` this is a pattern. */
const address = String.raw`(?<=')\/\w+\/(?:[dpq]?'|,\/| *[{!])`

/**
 * A regular expression, with the flag `u`, that finds an absolute path where it stands by itself or begins a longer one,
 * so that another path can be put in its place.
 *
 * @param forms how the path may be written
 */
export function pathSource(forms: readonly string[]): string {
  return `${startSource(forms)}(?!${inName}|${pattern})`
}

/** Whether a text tells of an absolute path. */
export function holdsPath(text: string, forms: readonly string[]): boolean {
  return new RegExp(`${startSource(forms)}(?!${inName})`, 'u').test(text)
}

function startSource(forms: readonly string[]): string {
  const written = [...new Set(forms)].map(quoteRegex).join('|')
  return `(?:(?<=${open})|(?<!${before}))(?!${address})(?:${written})`
}
