import type { Failure } from './test-results.ts'

const maxMessageLength = 2_000

/** The same without what is too long to be read. */
export function shortenFailure(failure: Failure): Failure {
  const cut = (text: string): string =>
    text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength)} […]`
  const { expected, received } = failure
  return {
    ...failure,
    message: cut(failure.message),
    ...(expected !== undefined && { expected: cut(expected) }),
    ...(received !== undefined && { received: cut(received) }),
  }
}

/** A failing test with its place and values. */
export function formatFailure({ key, file, line, message, expected, received }: Failure): string {
  const place = file === undefined ? '' : ` (${[file, line].filter((part) => part !== undefined).join(':')})`
  const values = [
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
  ]
  return `### ${key.replaceAll(/\s+/g, ' ')}${place}\n\n${indent([message, ...values].join('\n'))}`
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}
