/**
 * A document of mdx as a spec, as the table of docs/coming-from.md says; `undefined` where no block is run in a shell.
 */
export function adaptMdx(text: string): string | undefined {
  const blocks = text.replace(
    /^(?:<!-- \$MDX (.*?) -->\n)?(`{3,})(sh|bash)\b(.*)\n([^]*?)^\2[ \t]*$/gm,
    (_whole, comment = '', fence: string, _language: string, legacy: string, code: string) =>
      adaptBlock({ fence, code, labels: `${comment},${legacy}`.split(',').map((label) => label.trim()) }),
  )
  return /^`{3,}console$/m.test(blocks) ? `---\nagent: none\ncwd: temp\n---\n\n${blocks}` : undefined
}

interface MdxBlock {
  readonly fence: string
  readonly code: string
  readonly labels: readonly string[]
}

function adaptBlock({ fence, code, labels }: MdxBlock): string {
  const isCopy = labels.some((label) => label.startsWith('file='))
  if (isCopy || !/^ *\$ /m.test(code)) return [`${fence}text`, code + fence].join('\n')
  const lines = withoutPadding(code.split('\n').slice(0, -1))
  const skip = labels.some((label) => /^(?:skip|non-deterministic=command|version\b.*|os_type\b.*)$/.test(label))
  const isAny = labels.some((label) => /^non-deterministic(?:=output)?$/.test(label))
  const body = isAny ? lines.filter(isCommand).flatMap((line) => [line, '...']) : lines.map(adaptLine)
  const block = [`${fence}console${skip ? ' skip' : ''}`, ...body, fence]
  return [...labels.flatMap(adaptVariable), ...block].join('\n')
}

/** Blanks at the beginning of the first line are there in all others. */
function withoutPadding(lines: readonly string[]): readonly string[] {
  const [padding = ''] = /^ */.exec(lines[0] ?? '') ?? []
  return lines.map((line) => (line.startsWith(padding) ? line.slice(padding.length) : line.trimStart()))
}

function isCommand(line: string): boolean {
  return /^[$>] /.test(line)
}

/** A command goes on behind `\`, which is no part of it; a line may end in `...` for the rest. */
function adaptLine(line: string, index: number, lines: readonly string[]): string {
  const isContinued = isCommand(line) && (lines[index + 1] ?? '').startsWith('> ')
  if (isContinued) return line.replace(/[ \t]*\\$/, '')
  if (isCommand(line) || !/[^.]\.{3}$/.test(line)) return line
  return `${line.slice(0, -3).replace(/[\\*?]/g, '\\$&')}* (glob)`
}

/** Variables stay for the blocks that follow. */
function adaptVariable(label: string): readonly string[] {
  const [, set, value] = /^set-(\w+)=(.*)$/.exec(label) ?? []
  const [, unset] = /^unset-(\w+)$/.exec(label) ?? []
  if (set !== undefined) return ['```sh', `export ${set}=${value}`, '```', '']
  return unset === undefined ? [] : ['```sh', `unset ${unset}`, '```', '']
}
