/** Returns a permission rule for the first part that needs one: `cd app && CI=1 npm test` gives `Bash(CI=1 npm *)`. */
export function bashRule(command: string): string | undefined {
  const part = command
    .split(/&&|\|\||[;|\n]/)
    .map((piece) => piece.trim())
    .find((piece) => piece !== '' && !harmless.test(piece))
  if (part === undefined) return undefined
  const start = /^(?:[A-Za-z_][A-Za-z0-9_]*=[^\s"'$`]*\s+)*[^\s"'$`()<>&]+/.exec(part)?.[0]
  return start === undefined ? undefined : `Bash(${start} *)`
}

/** Claude Code runs these commands without asking, so they need no rule. */
const harmless = /^(cd|echo|cat|ls|pwd|true|head|tail|wc|grep|sleep)(\s|$)/
