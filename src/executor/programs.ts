export interface Looker {
  /** What every option looks like; others need a rule. Default: any that does not name a file elsewhere. */
  readonly options?: RegExp
  readonly isWithoutFiles?: true
}

const isWithoutFiles = true
const named = (names: string, looker: Looker): readonly (readonly [string, Looker])[] =>
  names.split(' ').map((name) => [name, looker])

/** Programs that only look: they need no rule in the folders of the scenario, and prove nothing. */
export const lookers: ReadonlyMap<string, Looker> = new Map([
  ...named('cat cmp cut diff grep head jq ls nl od readlink stat tail wc', {}),
  ...named('basename dirname echo pwd seq tr which', { isWithoutFiles }),
  ...named('sort', { options: /^-[bcdfghiknrstuVwz\d,.]+$/ }),
  ...named('uniq', { options: /^-[cdiu]+$/, isWithoutFiles }),
  ...named('find', { options: /^-(?:name|iname|path|not|type|maxdepth|mindepth|newer|size|empty|print|o|a)$/ }),
  ...named('date', { options: /^-(?:u|I\w*)$/, isWithoutFiles }),
  ...named('printf', { options: /^-$/, isWithoutFiles }),
])

/** Commands that print nothing and need no rule. `[` and `test` look at what is there. */
export const silentCommands: ReadonlyMap<string, Looker> = new Map([
  ...named('true false : sleep wait jobs exit break continue', { isWithoutFiles }),
  // `-v` and `-R` would evaluate the name of a variable.
  ...named('test [', { options: /^-(?:[^vR]|\w\w)$/, isWithoutFiles }),
  ...named('cd', { options: /^-P$/ }),
  ...named('read', { options: /^-r$/, isWithoutFiles }),
  ...named('kill', { options: /^-(?:[A-Z]+|\d+)$/, isWithoutFiles }),
  ...named('set', { options: /^-o$/, isWithoutFiles }),
])

/** Commands that write where the agent may write, with the options that name no other place. */
export const writers: ReadonlyMap<string, RegExp> = new Map([
  ['mkdir', /^-[pv]+$/],
  ['touch', /^-c$/],
  ['rm', /^-[rRfv]+$/],
  ['rmdir', /^-p$/],
  ['tee', /^-a$/],
  ['mv', /^-[fnv]+$/],
  ['cp', /^-[afrRpPLnv]+$/],
])

/** Programs that run code: the script has to be a file of the project, and each option before it named by the rule. */
export const interpreter = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|bash|sh|dash|zsh|ksh)$/

/** Options behind which code of the agent's own stands. */
export const codeOption = /^(?:-[a-zA-Z]*[ecpmr]|--(?:eval|print)|eval)$/

export const keepers = /^(?:cat|cut|grep|head|pwd|seq|sort|tail|uniq|wc)$/

/** Programs that run another one, which their words name in ways of their own. */
export const starters = /^(?:env|parallel|setsid|stdbuf|sudo|watch|xargs)$/

/** Programs that give what others printed, or what they are given, another form, or know what the machine is like. */
const others =
  'git svn sed awk gawk mawk find jq yq less more rev tac paste column comm join fold fmt base64 xxd od strings bc expr dc yes rg ag fd tree id whoami uname hostname ps top df du file locale man history'

/** Programs whose output proves nothing, whatever rule names them: they look, print, filter, or rewrite. */
export const proveNothing: ReadonlySet<string> = new Set([...lookers.keys(), ...others.split(' ')])
