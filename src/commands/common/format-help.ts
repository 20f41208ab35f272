import { flagsOf, hasOptionalValue, type CommandSyntax, type Flag } from './command-syntax.ts'

const maxColumns = 120

/** Where summaries begin at most; longer flags stand on a line of their own. */
const maxIndent = 27

/** What `mdtest <command> --help` prints. */
export function formatHelp(syntax: CommandSyntax): string {
  const { command, usage, about, exitCodes } = syntax
  const ways = usage.map((way) => `mdtest ${command} ${way}`)
  const flags = Object.values(flagsOf(syntax))
  const indent = Math.min(maxIndent, Math.max(...flags.map((flag) => headOf(flag).length)) + 2)
  return `Usage: ${ways.join('\n       ')}

${about}

Options:
${flags.map((flag) => formatFlag(flag, indent)).join('\n')}

Exit codes: ${exitCodes}
`
}

function formatFlag(flag: Flag, indent: number): string {
  const head = headOf(flag)
  const summary = wrap(flag.summary, maxColumns - indent).join(`\n${' '.repeat(indent)}`)
  return head.length < indent ? `${head.padEnd(indent)}${summary}` : `${head}\n${' '.repeat(indent)}${summary}`
}

function headOf(given: Flag): string {
  const { flag, short, value } = given
  const blank = value === undefined || hasOptionalValue(given) ? '' : ' '
  return `  ${short === undefined ? '    ' : `-${short}, `}--${flag}${blank}${value ?? ''}`
}

function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
