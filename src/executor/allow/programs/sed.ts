/**
 * Whether a script of `sed` only prints and changes the text that goes through it: no file is read or written (`r`, `w`),
 * no command started (`e`). What is not understood is not harmless.
 */
export function isHarmlessScript(script: string): boolean {
  if (script.length > maxCharacters) return false
  let rest = script
  while (rest !== '') {
    const [step] = command.exec(rest) ?? []
    if (step === undefined || step === '') return false
    rest = rest.slice(step.length)
  }
  return true
}

/** In UTF-16 code units. Longer ones are programs. */
const maxCharacters = 500

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?)`
/** One command with its address and the sign that ends it. A delimiter is one of the common ones. */
const command = new RegExp(
  String.raw`^[\s;]*(?:${address}(?:\s*,\s*(?:[+~]?\d+|${address}))?\s*!?\s*)?` +
    String.raw`(?:[{}=dDgGhHnNpPxl]|[qQ]\d*|s([/|#,:@])(?:(?!\1)[^\\\n]|\\[\s\S])*\1(?:(?!\1)[^\\\n]|\\[\s\S])*\1[gpiI\d]*` +
    String.raw`|y([/|#,:])(?:(?!\2)[^\\\n]|\\.)*\2(?:(?!\2)[^\\\n]|\\.)*\2)?\s*(?:[;\n]\s*|$|(?=[{}])|(?<=[{]))`,
)
