/** The command inside `/bin/bash -lc '…'`, the way codex shows what it ran; anything else comes back as it is. */
export function unwrapShell(command: string): string {
  const inner = /^\S*\b(?:bash|zsh|sh) -l?c (.+)$/s.exec(command)?.[1]
  return inner === undefined ? command : (unquote(inner) ?? command)
}

/** One POSIX shell word without its quotes, or `undefined` where the text is not exactly one word. */
function unquote(word: string): string | undefined {
  let plain = ''
  let rest = word
  while (rest !== '') {
    const piece = /^(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+))/.exec(rest)
    if (piece === null) return undefined
    const [whole, single, double, escaped, bare] = piece
    plain += single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? escaped ?? bare ?? ''
    rest = rest.slice(whole.length)
  }
  return plain
}
