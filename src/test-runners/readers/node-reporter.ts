import { resolve } from 'node:path'
import { inspect } from 'node:util'

/** Of an event of Node's test runner, what is read here; none of it is there in all versions. */
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

export type NodeTestLine =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'stderr'; readonly file: string; readonly text: string }
  | {
      readonly kind: 'test'
      readonly name: string
      readonly nesting: number
      readonly isPassed: boolean
      readonly isSkipped: boolean
      readonly isSuite: boolean
      readonly failureType?: string
      readonly file?: string
      readonly line?: number
      readonly message?: string
      readonly stack?: string
      readonly expected?: string
      readonly received?: string
    }

/** A reporter of Node's own test runner, loaded by it: JSON lines of what tests and files came to. */
export default async function* reportJsonLines(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const line = lineOf(event)
    if (line !== undefined) yield `${JSON.stringify(line)}\n`
  }
}

function lineOf({ type, data }: TestEvent): NodeTestLine | undefined {
  if (type === 'test:stderr') return { kind: 'stderr', file: data.file ?? '', text: data.message ?? '' }
  const { name = '', nesting = 0, file, line, details } = data
  if (type === 'test:enqueue' && nesting === 0 && file !== undefined) {
    return resolve(name) === resolve(file) ? { kind: 'file', file } : undefined
  }
  if (type !== 'test:pass' && type !== 'test:fail') return undefined
  return {
    kind: 'test',
    name,
    nesting,
    // A test that is still to be written may fail.
    isPassed: type === 'test:pass' || isSet(data.todo),
    isSkipped: isSet(data.skip) || isSet(data.todo),
    isSuite: details?.type === 'suite',
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(details?.error?.failureType !== undefined && { failureType: details.error.failureType }),
    ...(details?.error !== undefined && describe(details.error.cause ?? details.error)),
  }
}

function isSet(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false
}

function describe(thrown: unknown): Partial<Record<'message' | 'stack' | 'expected' | 'received', string>> {
  if (typeof thrown !== 'object' || thrown === null) return { message: String(thrown) }
  const { message, stack, expected, actual } = thrown as {
    message?: unknown
    stack?: unknown
    expected?: unknown
    actual?: unknown
  } // any of them may be missing
  const isComparison = 'expected' in thrown && 'actual' in thrown
  return {
    message: typeof message === 'string' ? message : inspect(thrown),
    ...(typeof stack === 'string' && { stack }),
    ...(isComparison && { expected: show(expected), received: show(actual) }),
  }
}

function show(value: unknown): string {
  return inspect(value, { depth: 10, maxStringLength: 10_000 })
}
