/**
 * The lines of an aria snapshot as browser blocks expect them: without bullets, indentation, colons at the end, and
 * attributes that change from moment to moment (`[ref=e7]`, `[cursor=pointer]`, `[active]`).
 *
 * @param snapshot as Playwright writes it, or as its MCP server prints it in a `yaml` fence
 */
export function pageLines(snapshot: string): readonly string[] {
  const text = /```yaml\n([\s\S]*?)\n```/.exec(snapshot)?.[1] ?? snapshot
  return text.split('\n').flatMap((line) => {
    const plain = pageLine(line)
    return plain === '' ? [] : [plain]
  })
}

export function pageLine(line: string): string {
  return withoutMoment(line.trim().replace(/^- /, '')).replace(/:$/, '')
}

/** Removes attributes that change, such as `[ref=e7]`. The same text in quotes or after the colon stays. */
function withoutMoment(line: string): string {
  const [, name = '', attributes = ''] =
    /^('?[\w/-]+(?: "(?:[^"\\]|\\.)*"| \/(?:[^/\\]|\\.)*\/)?)((?: \[[^\]]*\])*)/.exec(line) ?? []
  const lasting = attributes.replace(/ \[(?:ref=\w+|cursor=[\w-]+|active)\]/g, '')
  return name + lasting + line.slice(name.length + attributes.length)
}
