export interface Looker {
  /** If the words of a command (one per line) match, the command may write files or start programs. */
  readonly not?: RegExp
  /** Whether no word of the program is a file name. */
  readonly isWithoutFiles?: true
  /** Whether the first argument is a text, a pattern (`grep`) or a script (`sed`), not a file. */
  readonly hasScript?: true
}

const named = (names: string, looker: Looker): readonly (readonly [string, Looker])[] =>
  names.split(/\s+/).map((name) => [name, looker])
const hasScript = true
const isWithoutFiles = true
const second = /^(?!-)[^\n]*\n(?:-[^\n]*\n)*(?!-)/m

/** Commands of `sed` that only print, delete or replace text. */
const address = String.raw`(?:\d+|\$|\/(?:\\.|\[[^\]\\/]+\]|[^\\[/])+\/)`
const substitutions = ['/', '|', '#', ',', ':', '@'].map((mark) => {
  const own = mark === '|' ? String.raw`\|` : mark
  const pattern = String.raw`(?:\\.|\[\^?\]?[^\]\\${mark}]*\]|[^\\[${mark}])+`
  return String.raw`s${own}${pattern}${own}(?:\\.|[^\\${mark}])*${own}[gpiI\d]*`
})
const edit = String.raw`(?:${address}(?:,${address})?)? ?!?(?:[pdq=]|${substitutions.join('|')}) ?(?:; ?|(?=\n|$))`
const plainSed = new RegExp(
  String.raw`^(?:-[nErsuz]+\n)*(?:-[nErsuz]*e\n)?(?:${edit})+(?:\n-e\n(?:${edit})+)*(?:\n(?!-)[^\n]*)*$`,
)

/** Programs that only read or compute. In the scenario's folders they need no rule. Their output is no evidence. */
const lookers: ReadonlyMap<string, Looker> = new Map([
  ...named('bc cat cmp column comm cut diff du fmt fold head hexdump join ls md5sum nl od paste readlink realpath', {}),
  ...named('rev sha1sum sha256sum shasum stat strings tac tail wc base64', {}),
  ...named('grep egrep fgrep jq', { hasScript }),
  ...named('basename dirname echo expr id jobs printenv ps pwd seq tr type uname which whoami yes lsof', {
    isWithoutFiles,
  }),
  ...named('uniq xxd', { not: second }),
  ...named('tree', { not: /^-o/m }),
  ...named('file', { not: /^-(?!-)[^\n]*C|^--com/m }),
  ...named('sort', { not: /^-(?!-)[^\n]*[oT]|^--(?:o|co|te|fil)/m }),
  ...named('find', { not: /^-(?:exec|ok|del|fprint|fls|files0)/m }),
  ...named('date', { not: /^--?[sf]/m, isWithoutFiles }),
  ...named('printf', { not: /^-v/, isWithoutFiles }),
  ...named('command', { not: /^(?!-[vV]\n)/, isWithoutFiles }),
  ...named('env', { not: /./, isWithoutFiles }),
  ...named('ss', { not: /^-\w*[KDF]|^--(?:k|d|f)/m, isWithoutFiles }),
  ...named('sed', { not: new RegExp(`^(?!${plainSed.source.slice(1)})`), hasScript }),
  ...named('awk gawk mawk', { not: /^-(?!F|v)|system|getline|ARG|@|(?<!^-F\n?|\|)\|(?!\|)|print[^]*>/m, hasScript }),
  ...named('git', {
    not: /(?<![^])(?!(?:status|diff|log|show|ls-files|rev-parse|describe|branch\n--show-current|stash\nlist)(?:\n|$))|^-O|^--(?:ou|ext|tex|no-index)/m,
  }),
])

/** Commands that print nothing and need no rule. */
export const silentCommands: ReadonlyMap<string, Looker> = new Map([
  ...named('true false : sleep exit break continue', { isWithoutFiles }),
  ...named('wait', { not: /^-p/m, isWithoutFiles }),
  // With `-v` or `-R`, bash evaluates code in the name of a variable, as in `test -v 'a[$(rm x)]'`.
  ...named('test [', { not: /^-[vR]$/m, isWithoutFiles }),
  ...named('cd', { not: /^-(?!P?$)/m }),
  ...named('read', { not: /^-(?!r$)/m, isWithoutFiles }),
  ...named('unset', { not: /^-/m, isWithoutFiles }),
  ...named('kill', { isWithoutFiles }),
  ...named('set', { not: /^(?![-+][eufox]+$|pipefail$|errexit$|nounset$)/m, isWithoutFiles }),
])

/** The entry for a command. `undefined` if the words make it do more than read; an unknown word counts as `$`. */
export function lookerOf(name: string, args: readonly { readonly value?: string | undefined }[]): Looker | undefined {
  const words = args.map(({ value = '$' }) => value).join('\n')
  if (interpreter.test(name) && /^(?:--version|-[vV])$/.test(words)) return { isWithoutFiles }
  if (/^python3?$/.test(name) && /^-m\njson\.tool$/.test(words)) return { isWithoutFiles }
  const looker = lookers.get(name) ?? silentCommands.get(name)
  return looker?.not?.test(words) === true ? undefined : looker
}

/** Commands that change files. They need no rule for files that the agent may write. Value: options without a file. */
export const writers: ReadonlyMap<string, RegExp> = new Map([
  ['mkdir', /^-[pv]+$/],
  ['mktemp', /^-[dqu]+$/],
  ['touch', /^-c$/],
  ['rm', /^-[rRfv]+$/],
  ['rmdir', /^-p$/],
  ['tee', /^-a$/],
  ['mv', /^-[fnv]+$/],
  ['cp', /^-[afrRpPLnv]+$/],
])

/** Programs that run a script. The script must be a file of the project. */
export const interpreter = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|bash|sh|dash|zsh|ksh)$/

/** Options with code as their value. Such code is by the agent, not by the project. */
export const codeOption = /^(?:-[a-zA-Z]*[ecpmr]|--(?:eval|print)|eval)$/

export const keepers = /^(?:cat|cut|grep|head|pwd|seq|sort|tail|uniq|wc|yes)$/

/** Programs that start another program. */
export const starters = /^(?:env|parallel|setsid|sudo|watch|xargs)$/

/** Programs in front of another program, as in `timeout 5 npm test`. Value: words of the first program. */
export const wrappers: ReadonlyMap<string, RegExp> = new Map([
  ...['timeout', 'time', 'nice', 'nohup', 'stdbuf'].map(
    (name) => [name, /^(?:-.*|[\d.]+[smhd]?|[A-Z]{3,9})$/] as const,
  ),
  ['env', /^(?:\w+=[\s\S]*|-u|[A-Z_]{2,})$/],
  ['xargs', /^(?:-[0rtxnPL]+|-?[nPL]?\d+|(?:-I)?\{\}|-I)$/],
])

/** Programs whose output is no evidence, even if a rule names them: they print or change texts of any origin. */
export const proveNothing: ReadonlySet<string> = new Set(
  `${[...lookers.keys()].join(' ')} svn yq less more dc rg ag fd hostname top df locale man history`.split(' '),
)
