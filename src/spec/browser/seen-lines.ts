export interface SeenLine {
  /** Line of the code, counted from 0. */
  readonly index: number
  readonly text: string
}

/** The page lines that `see('…')` calls of a browser block expect, if their argument is a plain string. */
export function seenLines(code: string): readonly SeenLine[] {
  return code.split('\n').flatMap((line, index) =>
    [...line.matchAll(/\bsee\((?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\)/g)].map(([, single, double = '']) => ({
      index,
      text: (single ?? double).replace(/\\(.)/g, '$1'),
    })),
  )
}

export function writeSee(text: string): string {
  return `await see(${quote(text)})`
}

/** A string literal of JavaScript, with the quotes that Playwright uses. */
export function quote(text: string): string {
  const plain = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${plain}'`
}
