/**
 * A command with a variable wherever a value stands as a word or as a part of one that has a border, whatever quotes it
 * stands in.
 *
 * @param expression name of the variable, or what may stand in its braces: `id:0:7`
 */
export function putVariable(command: string, value: string, expression: string): string {
  const isName = /^\w+$/.test(expression)
  const bare = isName ? `$${expression}` : `\${${expression}}`
  let out = ''
  let quote = ''
  for (let at = 0; at < command.length;) {
    const character = command[at] ?? ''
    const written = inQuotes(value, quote)
    if (command.startsWith(written, at) && !isInWord(command, at, written)) {
      at += written.length
      if (quote === '"') out += `\${${expression}}`
      else if (quote === '') out += `"${bare}"`
      else if (!out.endsWith("'")) out += `'"${bare}"'`
      else {
        // Nothing stands before it in the quotes.
        out = `${out.slice(0, -1)}"${bare}"`
        if (command[at] === "'") at += 1
        else {
          out += "'"
          continue
        }
        quote = ''
      }
    } else if (character === '\\' && quote !== "'") {
      out += command.slice(at, at + 2)
      at += 2
    } else {
      if (quote === '' && (character === '"' || character === "'")) quote = character
      else if (character === quote) quote = ''
      out += character
      at += 1
    }
  }
  return out
}

/** How a value is written within quotes, or without. */
function inQuotes(value: string, quote: string): string {
  if (quote === "'") return value.replaceAll("'", String.raw`'\''`)
  if (quote === '"') return value.replace(/["$`\\]/g, String.raw`\$&`)
  return value.replace(/[ !"#$&'()*;<=>?[\\\]^`{|}~]/g, String.raw`\$&`)
}

function isInWord(text: string, at: number, value: string): boolean {
  return /[A-Za-z0-9]/.test(text[at - 1] ?? '') || /[A-Za-z0-9]/.test(text[at + value.length] ?? '')
}
