/**
 * The rule that would permit one command line; its first part that is not harmless counts. A rule covers a simple command
 * from its start, so a variable before the program belongs to it (`Bash(CI=1 npm *)`). `undefined` where no rule does.
 */
export function bashRule(command: string): string | undefined {
  const part = command
    .split(/&&|\|\||[;|\n]/)
    .map((piece) => piece.trim())
    .find((piece) => piece !== '' && !harmless.test(piece))
  if (part === undefined) return undefined
  const start = /^(?:[A-Za-z_][A-Za-z0-9_]*=[^\s"'$`]*\s+)*[^\s"'$`()<>&]+/.exec(part)?.[0]
  return start === undefined ? undefined : `Bash(${start} *)`
}

/** What Claude Code runs without asking, as far as it commonly stands before the part that matters. */
const harmless = /^(cd|echo|cat|ls|pwd|true|head|tail|wc|grep|sleep)(\s|$)/
