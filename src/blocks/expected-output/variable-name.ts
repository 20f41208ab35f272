/** What bash itself reads or sets: see "Shell Variables" of its manual. */
const bashName = new RegExp(
  `^(?:_+|${[
    ...['BASH\\w*', 'CDPATH', 'CHILD_MAX', 'COLUMNS', 'COMP\\w+', 'COPROC', 'DIRSTACK', 'EMACS', 'ENV', 'EPOCH\\w+'],
    ...['EUID', 'EXECIGNORE', 'FCEDIT', 'FIGNORE', 'FUNCN\\w+', 'GLOB\\w+', 'GROUPS', 'HIST\\w+', 'HOME', 'HOSTFILE'],
    ...['HOSTNAME', 'HOSTTYPE', 'IFS', 'IGNOREEOF', 'INPUTRC', 'INSIDE_EMACS', 'LANG', 'LANGUAGE', 'LC_\\w+', 'LINENO'],
    ...['LINES', 'MACHTYPE', 'MAIL', 'MAILCHECK', 'MAILPATH', 'MAPFILE', 'OLDPWD', 'OPT(?:ARG|ERR|IND)', 'OSTYPE'],
    ...['PATH', 'PIPESTATUS', 'POSIXLY_CORRECT', 'PPID', 'PROMPT_\\w+', 'PS\\d', 'PWD', 'RANDOM', 'READLINE_\\w+'],
    ...['REPLY', 'SECONDS', 'SHELL', 'SHELLOPTS', 'SHLVL', 'SRANDOM', 'TERM', 'TEXTDOMAIN\\w*', 'TIMEFORMAT', 'TMOUT'],
    ...['UID', 'auto_resume', 'histchars'],
  ].join('|')})$`,
)

/** Of proxies and package managers in either case, and those that mdtest sets. */
const otherName = /_proxy$|^(?:npm|pnpm|yarn|bun)_|^_+mdtest_|^TEST(?:DIR|ROOT)$|^(?:TMPDIR|TMP|TEMP)$/i

/** Whether a captured value may be a variable of that name: it comes from a program, and must not steer the shell. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !bashName.test(name) && !otherName.test(name)
}

/** Why a value cannot be captured under a name, where it cannot. */
export function describeTakenName(name: string): string | undefined {
  if (isVariableName(name)) return undefined
  const small = name.toLowerCase()
  const other = isVariableName(small) ? small : `my${small.replaceAll('_', '')}`
  return `\`${name}\` cannot be captured: it becomes a variable, and one of that name steers the shell or other programs. Call it \`${other}\`.`
}
