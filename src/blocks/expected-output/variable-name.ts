/** Variables of bash: "Shell Variables" in its manual. */
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

/** Variables of proxies, package managers and mdtest. */
const otherName = /_proxy$|^(?:npm|pnpm|yarn|bun)_|^_+mdtest_|^TEST(?:DIR|ROOT)$|^(?:TMPDIR|TMP|TEMP)$/i

/** Whether a captured value may become this variable: the value comes from a program and must not steer the shell. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !bashName.test(name) && !otherName.test(name)
}

/** Why no value can be captured under a name. */
export function describeTakenName(name: string): string | undefined {
  if (isVariableName(name)) return undefined
  const small = name.toLowerCase()
  const other = isVariableName(small) ? small : `my${small.replaceAll('_', '')}`
  return `\`${name}\` cannot be captured: it becomes a variable, and one of that name steers the shell or other programs. Call it \`${other}\`.`
}
