/** The lines of an aria snapshot, without attributes that change at any moment, such as `[ref=e7]` and `[active]`. */
export function pageLines(snapshot: string): readonly string[] {
  const text = /```yaml\n([\s\S]*?)\n```/.exec(snapshot)?.[1] ?? snapshot
  return text.split('\n').flatMap((line) => pageLine(line) || [])
}

export function pageLine(line: string): string {
  return withoutMoment(line.trim().replace(/^- /, '')).replace(/:$/, '')
}

/** Removes attributes such as `[ref=e7]`, but keeps the same characters in quotes or after the colon. */
function withoutMoment(line: string): string {
  const [, name = '', attributes = ''] =
    /^('?[\w/-]+(?: "(?:[^"\\]|\\.)*"| \/(?:[^/\\]|\\.)*\/)?)((?: \[[^\]]*\])*)/.exec(line) ?? []
  const lasting = attributes.replace(/ \[(?:ref=\w+|cursor=[\w-]+|active)\]/g, '')
  return name + lasting + line.slice(name.length + attributes.length)
}

/** Page lines that `see('…')` calls in browser code expect. `index` is the line of the call, counted from 0. */
export function seenLines(code: string): readonly { readonly index: number; readonly text: string }[] {
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
