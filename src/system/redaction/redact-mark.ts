/**
 * What stands in place of each secret, by its place in `names`: `***STRIPE_KEY***`. No pattern is in a mark or can
 * reach into one from the text around it, so a redacted text holds no pattern.
 */
export function redactMarks(names: readonly string[], patterns: readonly string[]): readonly string[] {
  const fence = unusedChar(new Set(patterns.join(''))).repeat(3)
  return names.map((name) => {
    const isSafe = !patterns.some((pattern) => name.includes(pattern))
    return isSafe ? `${fence}${name}${fence}` : fence.repeat(2)
  })
}

function unusedChar(used: ReadonlySet<string>): string {
  const familiar = ['*', '#', '~', '|'].find((char) => !used.has(char))
  if (familiar !== undefined) return familiar
  let code = firstBlock
  while (used.has(String.fromCharCode(code))) code += 1
  return String.fromCharCode(code)
}

/** FULL BLOCK; thousands of printable characters follow. */
const firstBlock = 0x2588
