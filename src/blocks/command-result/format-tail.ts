import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { ShellResult } from '../../system/shell/open-shell-result.ts'
import { readOutput } from '../expected-output/output-lines.ts'

const tailLines = 20
const maxLineLength = 400

export function formatTail({ stdout, stderr }: Pick<ShellResult, 'stdout' | 'stderr'>, redact: Redact): string {
  return [formatOutput('stdout', redact(stdout)), formatOutput('stderr', redact(stderr))]
    .filter((part) => part !== '')
    .join('\n')
}

export function formatOutput(name: string, text: string): string {
  const { lines } = readOutput(text)
  if (lines.length === 0) return ''
  const isCut = lines.length > tailLines
  const shown = lines.slice(-tailLines).map((line) => `  ${line.slice(0, maxLineLength)}`)
  return [isCut ? `${name} (last ${tailLines} of ${lines.length} lines):` : `${name}:`, ...shown].join('\n')
}
