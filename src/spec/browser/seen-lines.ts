export interface SeenLine {
  /** Of the code, counted from 0. */
  readonly index: number
  readonly text: string
}

/** The lines that calls of `see` name by a plain string. */
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

/** A text as a string of JavaScript, as Playwright writes it. */
export function quote(text: string): string {
  const plain = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${plain}'`
}
