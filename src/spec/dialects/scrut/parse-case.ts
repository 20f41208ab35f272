import { parseMapping, type Mapping } from '../../front-matter/parse-mapping.ts'
import type { Fence } from '../../blocks/fence.ts'
import type { Report } from '../../rules/spec-rules.ts'
import type { Place, TranscriptCommand } from '../../spec.ts'
import { readCaseConfig, withDefaults, type CaseConfig } from './read-case-config.ts'

/** A fence of the language `scrut`, read. */
export interface ParsedCase {
  readonly config: CaseConfig
  readonly command: TranscriptCommand
}

interface Line extends Place {
  readonly text: string
}

/**
 * Reads a test case of scrut: comments `#`, configuration `% `, one command `$ ` with its continuation lines `> `, the
 * expected output and an exit code `[N]`. `undefined` where there is no command.
 */
export function parseCase(fence: Fence, report: Report): ParsedCase | undefined {
  const lines = fence.code
    .split('\n')
    .map((text, index): Line => ({ text, line: fence.line + 1 + index, column: fence.column }))
  const start = lines.findIndex(({ text }) => text.startsWith('$ '))
  if (start === -1) {
    const message = 'The test case holds no command. Add a line that begins with `$ `.'
    report('empty-transcript', fence, message)
    return undefined
  }
  const head = lines.slice(0, start).filter(({ text }) => !text.startsWith('#'))
  const config = head.filter(({ text }) => text.startsWith('% '))
  const [stray] = head.filter(({ text }) => !text.startsWith('% '))
  if (stray !== undefined) {
    const message =
      'Before its command a test case holds comments `#` and configuration `% ` only. Move this line behind the command, or take it away.'
    report('output-before-command', stray, message)
  }
  return { config: readConfig(fence, config, report), command: parseCommand(lines.slice(start), report) }
}

function parseCommand([first, ...rest]: readonly Line[], report: Report): TranscriptCommand {
  const place = first ?? { line: 1, column: 1 }
  const end = rest.findIndex(({ text }) => text !== '>' && !text.startsWith('> '))
  const count = end === -1 ? rest.length : end
  const command = [first, ...rest.slice(0, count)].map((line) => line?.text.slice(2)).join('\n')
  if (command.trim() === '')
    report('empty-command', place, 'The `$` has no command. Write one, or take the test case away.')
  return { command, line: place.line, ...parseOutput(rest.slice(count), report) }
}

function parseOutput(lines: readonly Line[], report: Report): Pick<TranscriptCommand, 'expected' | 'exitCode'> {
  const codes = lines.filter(({ text }) => /^\[\d+\]$/.test(text))
  const [code] = codes
  const exitCode = Number(code?.text.slice(1, -1) ?? 0)
  if (exitCode > 255 && code !== undefined)
    report('bad-exit-code', code, `Exit codes are 0 to 255, got \`${code.text}\`.`)
  const [, second] = codes
  if (second !== undefined) {
    const message = `The exit code is given on line ${code?.line} already. Write \`${second.text} (equal)\` for a line of output.`
    report('bad-exit-code', second, message)
  } else if (code !== undefined && code !== lines.at(-1)) {
    report('bad-exit-code', code, 'The exit code is the last line of a test case. Move it to the end.')
  }
  return { expected: lines.filter((line) => !codes.includes(line)).map(({ text }) => text), exitCode }
}

/** What stands in braces behind the language, and what the `% ` lines say, which comes first. */
function readConfig(fence: Fence, lines: readonly Line[], report: Report): CaseConfig {
  const { config: inline } = fence
  const ofFence = inline === undefined ? {} : readMapping(inline.text, [inline], report)
  if (lines.length === 0) return ofFence
  const places = lines.map(({ line, column }) => ({ line, column: column + 2 }))
  const ofLines = readMapping(lines.map(({ text }) => text.slice(2)).join('\n'), places, report)
  return withDefaults(ofLines, ofFence)
}

/** @param places where each line of the YAML begins in the spec */
function readMapping(yaml: string, places: readonly Place[], report: Report): CaseConfig {
  const start = places[0] ?? { line: 1, column: 1 }
  const mapping: Mapping | undefined = parseMapping({
    yaml,
    what: 'The configuration',
    start,
    toPlace: ({ line, column }) => {
      const place = places[line - 1] ?? places.at(-1) ?? start
      return { line: place.line, column: place.column + column - 1 }
    },
    report: (_fault, place, message) => report('scrut-config', place, message),
  })
  return mapping === undefined ? {} : readCaseConfig(mapping, report)
}
