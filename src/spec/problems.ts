import { relative } from 'node:path'
import type { SpecProblem } from './spec.ts'
import { cutLine, plainText } from '../system/text/plain-text.ts'

/** Formats `path:line:column  rule-id  message`, with the faulty line below. Without `root`, paths are absolute. */
export function formatProblems(
  problems: readonly SpecProblem[],
  {
    text,
    included = new Map(),
    root,
  }: { readonly text: string; readonly included?: ReadonlyMap<string, string>; readonly root?: string },
): string {
  const toLines = (one: string): readonly string[] => one.split(/\r\n|\r|\n/)
  const own = toLines(text)
  const others = new Map([...included].map(([file, one]) => [file, toLines(one)]))
  return problems
    .map(({ file, line, column, ruleId, message }) => {
      const path = root === undefined ? file : relative(root, file)
      const head = `${path}:${line}:${column}  ${ruleId}  ${message}`
      const excerpt = ((others.get(file) ?? own)[line - 1] ?? '').trimEnd()
      return excerpt === '' ? printable(head) : `${printable(head)}\n  ${line} | ${printable(cutLine(excerpt, 121))}`
    })
    .join('\n')
}

/** Replaces control characters: a spec must not move the cursor or hide text in the terminal. */
function printable(text: string): string {
  return plainText(text.replaceAll('\t', ' ').replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, '\uFFFD'))
}

/** The spec's own problems come first. A block is reported once, even if several rows or scenarios contain it. */
export function orderProblems(problems: readonly SpecProblem[], specFile: string): readonly SpecProblem[] {
  const files = [...new Set([specFile, ...problems.map(({ file }) => file)])]
  const distinct = new Map(problems.map((problem) => [JSON.stringify(problem), problem]))
  return [...distinct.values()].toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  )
}
