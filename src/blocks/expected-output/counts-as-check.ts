import { parseExpected, type Times } from './parse-expected.ts'

/** Two unrelated lines: a pattern that matches both matches anything. */
const anyLines = ['\u2042 Qz', '7']

/** Whether an expected line can fail. `...`, optional lines and patterns for anything match any output. */
export function countsAsCheck(line: string): boolean {
  const [pattern] = parseExpected([line]).patterns
  switch (pattern?.kind) {
    case 'text':
      return pattern.text.trim() !== '' && isNeeded(pattern.times)
    case 'regex':
      return isNeeded(pattern.times) && !isForAny(pattern.regex)
    case 'template':
      return pattern.parts.some((part) => {
        if (part.kind === 'capture') return !isForAny(new RegExp(`^(?:${part.source})$`, 'su'))
        return part.kind === 'recall' || part.text.trim() !== ''
      })
    default:
      return false
  }
}

function isNeeded(times: Times): boolean {
  return times === 'once' || times === '+'
}

function isForAny(regex: RegExp): boolean {
  return anyLines.every((line) => regex.test(line))
}
