/**
 * A name with a small letter in its first word. Names in capitals belong to shells and programs (`PATH`, `IFS`, `NODE_OPTIONS`,
 * `CARGO_TARGET_x86_RUNNER`): POSIX leaves those with small letters to applications.
 */
const ownName = /^_*[A-Z0-9]*[a-z][A-Za-z0-9_]*$/

/** Small letters and yet not free: proxies, settings of package managers, bash's own, and those of mdtest. */
const takenName = /_proxy$|^(?:npm|pnpm|yarn|bun)_|^(?:auto_resume|histchars)$|^_+mdtest_/i

/** Whether a captured value may be a variable of that name: it comes from a program, and must not steer others. */
export function isVariableName(name: string): boolean {
  return ownName.test(name) && !takenName.test(name)
}

/** Why a value cannot be captured under a name, where it cannot. */
export function describeTakenName(name: string): string | undefined {
  if (isVariableName(name)) return undefined
  const small = name.toLowerCase()
  const other = isVariableName(small) ? small : `my${small.replaceAll('_', '')}`
  return `\`${name}\` cannot be captured: it becomes a variable, and names in capitals, of proxies and of package managers steer shells and programs. Call it \`${other}\`.`
}
