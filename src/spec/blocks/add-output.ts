import type { Fence } from './fence.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Block, ExpectedOutput } from '../spec.ts'

/** What an `output` fence would belong to: the block right before it, or one that is left out. */
export type Predecessor = Block | 'left-out' | undefined

/** Gives the block before an `output` fence with the output added, or unchanged where it cannot have one. */
export function addOutput(fence: Fence, before: Predecessor, report: Report): Predecessor {
  for (const word of fence.words) {
    report(
      'unknown-attribute',
      word,
      `\`${word.raw}\` is no attribute of an \`${fence.language}\` fence. Put attributes on the script.`,
    )
  }
  if (before === 'left-out') return before
  if (before?.kind === 'console') {
    const message =
      'A `console` transcript holds its expected output itself. Move these lines below their `$ ` command.'
    report('output-after-console', fence, message)
    return before
  }
  if (before?.kind !== 'script') {
    const message = `This \`${fence.language}\` fence follows no script, so nothing would be compared with it. Put it directly after its script, or call it \`text\`.`
    report('output-without-script', fence, message)
    return undefined
  }
  const stream = streamOf(fence.language)
  if (isTaken(before.expected, stream)) {
    const message =
      'The output of this script is given twice. Use one `output` fence, or one `stdout` and one `stderr`.'
    report('duplicate-output', fence, message)
    return before
  }
  return { ...before, expected: [...before.expected, { stream, text: fence.code, line: fence.line + 1 }] }
}

function streamOf(language: string): ExpectedOutput['stream'] {
  return language === 'stdout' || language === 'stderr' ? language : 'output'
}

/** `output` is both streams together. */
function isTaken(expected: readonly ExpectedOutput[], stream: ExpectedOutput['stream']): boolean {
  return expected.some((other) => other.stream === stream || other.stream === 'output' || stream === 'output')
}
