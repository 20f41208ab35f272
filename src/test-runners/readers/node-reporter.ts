import { resolve } from 'node:path'
import { inspect } from 'node:util'
import type { NodeTestLine } from '../templates/node.ts'

/** An event of Node's test runner. Some versions of Node.js omit some of these fields. */
interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name?: string
    readonly nesting?: number
    readonly file?: string
    readonly line?: number
    readonly skip?: string | boolean
    readonly todo?: string | boolean
    readonly message?: string
    readonly details?: { readonly type?: string; readonly error?: Error & { readonly failureType?: string } }
  }
}

/** A reporter that Node's test runner loads. It prints the results of tests and files as JSON lines. */
export default async function* reportJsonLines(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const line = eventLine(event)
    if (line !== undefined) yield `${JSON.stringify(line)}\n`
  }
}

function eventLine({ type, data }: TestEvent): NodeTestLine | undefined {
  const { name = '', nesting = 0, file, line, details, skip = false, todo = false } = data
  if (type === 'test:stderr') return { kind: 'stderr', file: file ?? '', text: data.message ?? '' }
  if (type === 'test:enqueue' && nesting === 0 && file !== undefined) {
    return resolve(name) === resolve(file) ? { kind: 'file', file } : undefined
  }
  if (type !== 'test:pass' && type !== 'test:fail') return undefined
  return {
    kind: 'test',
    name,
    nesting,
    // A failed `todo` test does not make the run fail.
    isPassed: type === 'test:pass' || todo !== false,
    isSkipped: skip !== false || todo !== false,
    isSuite: details?.type === 'suite',
    file,
    line,
    failureType: details?.error?.failureType,
    ...(details?.error !== undefined && thrownFacts(details.error.cause ?? details.error)),
  }
}

type Thrown = Partial<Record<'message' | 'stack' | 'expected' | 'actual', unknown>>

function thrownFacts(thrown: unknown): Pick<Extract<NodeTestLine, { kind: 'test' }>, 'message' | 'stack' | 'expected'> {
  if (typeof thrown !== 'object' || thrown === null) return { message: String(thrown) }
  const { message, stack, expected, actual }: Thrown = thrown
  return {
    message: typeof message === 'string' ? message : inspect(thrown),
    stack: typeof stack === 'string' ? stack : undefined,
    ...('expected' in thrown && 'actual' in thrown && { expected: show(expected), received: show(actual) }),
  }
}

function show(value: unknown): string {
  return inspect(value, { depth: 10, maxStringLength: 10_000 })
}
