import type { FailingTest } from '../runner.ts'

type Comparison = Pick<FailingTest, 'expected' | 'received'>

/** Longer lines are data, and slow to search, so they are ignored. */
const maxLineCharacters = 2000
const maxLines = 400

/** Finds the two values in a message of Vitest, Jest, Playwright, node:assert, pytest, Rust, Go and more. */
export function readComparison(message: string): Comparison {
  const lines = message
    .split('\n', maxLines)
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.length <= maxLineCharacters)
  return (
    readDiff(lines, diffHead) ??
    readBlocks(lines) ??
    readPairs(lines) ??
    readDiff(lines, nodeDiffHead) ??
    readSentence(lines) ??
    {}
  )
}

/** The first line of a diff by Vitest, Jest and Playwright, or by mdtest. */
const diffHead = /^\s*\+ Received(?: {2}\+ \d+)?$|\(- expected, \+ actual\):$/
/** The first line of a diff by node:assert. `readPairs` comes first: Node's `spec` reporter adds both values. */
const nodeDiffHead = /^\s*\+ actual - expected\b/

function readDiff(lines: readonly string[], form: RegExp): Comparison | undefined {
  const head = lines.findIndex((line) => form.test(line))
  if (head === -1) return undefined
  const indent = /^\s*(?=[-+] )/.exec(lines[head] ?? '')?.[0].length ?? 0
  const body = lines.slice(head + 1).map((line) => line.slice(indent))
  const first = body.findIndex((line) => line !== '')
  const end = body.findIndex((line, index) => index > first && !/^[-+ ] |^[-+]$|^@@/.test(line))
  const diff = body.slice(first, end === -1 ? undefined : end).filter((line) => !line.startsWith('@@'))
  const without = (sign: string): string => {
    const side = diff.filter((line) => !line.startsWith(sign)).map((line) => line.slice(2))
    return side.join('\n').trim()
  }
  return { expected: without('+'), received: without('-') }
}

function readBlocks(lines: readonly string[]): Comparison | undefined {
  const [expected, received] = ['- Expected:', '+ Received:'].map((head) => {
    const start = lines.findIndex((line) => line.trim() === head)
    const end = lines.findIndex((line, index) => index > start && line.trim() === '')
    return start === -1 ? undefined : lines.slice(start + 1, end === -1 ? undefined : end).join('\n')
  })
  return expected !== undefined && received !== undefined ? { expected, received } : undefined
}

const pairs: readonly (readonly [expected: RegExp, received: RegExp])[] = [
  // Used by Jest, Playwright, testify, xUnit.net, NUnit, AssertJ, package:test, and Node's spec reporter.
  [/^\W*expected(?: \w+){0,2}\s*:\s*(.+)$/i, /^\W*(?:received|actual|but was)(?: \w+){0,2}\s*:\s*(.+)$/i],
  // Rust up to 1.72 uses this form, and newer versions use the next form.
  [/^\s*right: `(.+)`(?:: .*)?$/, /^\s*left: `(.+)`,$/],
  [/^\s*right: (.+)$/, /^\s*left: (.+)$/],
]

function readPairs(lines: readonly string[]): Comparison | undefined {
  const valueOf = (form: RegExp): string | undefined =>
    lines.map((line) => form.exec(line)?.[1]).find((value) => value !== undefined)
  for (const [expectedForm, receivedForm] of pairs) {
    const [expected, received] = [valueOf(expectedForm), valueOf(receivedForm)]
    if (expected !== undefined && received !== undefined)
      return { expected: plainValue(expected), received: plainValue(received) }
  }
  return undefined
}

const sentences: readonly RegExp[] = [
  // Used by MSTest and JUnit. This pattern comes first, because later patterns match parts of these lines.
  /expected: ?<(?<expected>.*)>\.? (?:but was|actual): ?<(?<received>.*?)>\.?\s*$/i,
  /\bexpected (?<received>.+?) to (?:be|equal|match|(?:deeply|strictly) equal|loosely deep-equal) (?<expected>.+?)(?: \/\/ .*)?$/,
  /^\s*(?<received>.+) !== (?<expected>.+)$/,
  /^AssertionError: (?<received>.+) != (?<expected>.+)$/,
  /^\W*(?:E\s+)?(?:AssertionError: )?assert (?<both>.+ == .+)$/,
  /\b(?:got|have|actual)[ :=]+(?<received>.+?)[,;]?\s+(?:but )?(?:want|wanted|expect|expected)[ :=]+(?<expected>.+)$/i,
  /\b(?:want|wanted|expect|expected)[ :=]+(?<expected>.+?)[,;]?\s+(?:but )?(?:got|have|actual|was)[ :=]+(?<received>.+)$/i,
  /(?:=|returned) (?<received>.+?)[,;] (?:want|wanted|expected)[ :=]+(?<expected>.+)$/i,
]

function readSentence(lines: readonly string[]): Comparison | undefined {
  // pytest shortens long values, but prints the items that differ below the line `Differing items:`.
  const items = lines.findIndex((line) => /^\W*(?:E\s+)?Differing items:$/.test(line))
  const differing = /^(?:E\s+)?\s*(.+) != (.+)$/.exec(lines[items + 1] ?? '')
  if (items !== -1 && differing) return { received: differing[1] ?? '', expected: differing[2] ?? '' }
  for (const form of sentences) {
    for (const line of lines) {
      const found = form.exec(line)?.groups
      if (found?.['both'] !== undefined) return splitEquality(found['both'])
      if (found) return { expected: plainValue(found['expected'] ?? ''), received: plainValue(found['received'] ?? '') }
    }
  }
  return undefined
}

/** Splits at ` == ` if it occurs only once outside quotes and brackets. */
function splitEquality(expression: string): Comparison | undefined {
  const inner = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g
  const bare = expression.replaceAll(inner, (part) => '_'.repeat(part.length))
  const at = bare.indexOf(' == ')
  if (at === -1 || at !== bare.lastIndexOf(' == ')) return undefined
  return { received: expression.slice(0, at).trim(), expected: expression.slice(at + 4).trim() }
}

function plainValue(text: string): string {
  return text
    .trim()
    .replace(/,$/, '')
    .replace(/^(?:`(.*)`|<(.*)>)$/, '$1$2')
}
