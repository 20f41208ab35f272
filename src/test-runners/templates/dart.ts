import { join } from 'node:path'
import { z } from 'zod'
import { lineInMessage, relativeFile } from '../readers/file-and-line.ts'
import { parseLines, readLeft, resultsOf, type TestStatus, type ToldTest } from '../readers/read-results.ts'
import { anyTitle, runner, type Runner } from '../runner.ts'

export const dart = dartRunner('dart', {
  files: [{ name: /^pubspec\.yaml$/ }],
  console: {
    summary: /^\d\d+:\d\d (\+\d+(?: ~\d+)?(?: -\d+)?): /gm,
    ...{ passed: String.raw`\+`, failed: '-', skipped: '~' },
    isRunning: true,
  },
})

export const flutter = dartRunner('flutter', {
  files: [{ name: /^pubspec\.yaml$/, content: /^\s+sdk:\s*flutter\b/m }],
  // A Flutter package looks like a Dart package, but `dart test` cannot run it.
  supersedes: 'dart',
})

function dartRunner<Name extends 'dart' | 'flutter'>(
  name: Name,
  shown: Pick<Runner, 'console' | 'files' | 'supersedes'>,
): Runner<Name> {
  return runner({
    name,
    ...shown,
    form: new RegExp(`${name} +test`),
    template: { all: `${name} test`, file: `${name} test ./FILE`, pattern: `${name} test --name=PATTERN` },
    program: () => [name, 'test', '--reporter=expanded'],
    reporters: (dir) => [`--file-reporter=json:${join(dir, `${name}.jsonl`)}`],
    scope: { pattern: (names) => [`--name=${names}`] },
    selectTests: anyTitle,
    readResults: async (output) => resultsOf(readEvents(await readLeft(output, `${name}.jsonl`), output.root)),
  })
}

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start') }),
  z.object({ type: z.literal('suite'), suite: z.object({ id: z.number(), path: z.string().nullish() }) }),
  z.object({
    type: z.literal('testStart'),
    test: z.object({
      ...{ id: z.number(), name: z.string(), suiteID: z.number() },
      line: z.number().nullish(),
      url: z.string().nullish(),
    }),
  }),
  z.object({ type: z.literal('error'), testID: z.number(), error: z.string(), stackTrace: z.string() }),
  z.object({
    type: z.literal('testDone'),
    ...{ testID: z.number(), result: z.string(), skipped: z.boolean(), hidden: z.boolean() },
  }),
])

type DartEvent = z.infer<typeof eventSchema>

/** Reads events of `--file-reporter=json` (package:test, Flutter). A file that fails to load is a failed test. */
function readEvents(text: string | undefined, root: string): readonly ToldTest[] | undefined {
  const events = [...parseLines(text ?? '', eventSchema)]
  if (events.length === 0) return undefined
  const paths = new Map(
    events.flatMap((event) => (event.type === 'suite' ? [[event.suite.id, event.suite.path ?? '']] : [])),
  )
  const starts = new Map(events.flatMap((event) => (event.type === 'testStart' ? [[event.test.id, event.test]] : [])))
  const errors = events.filter((event) => event.type === 'error')
  return events.flatMap((event): readonly ToldTest[] => {
    const test = event.type === 'testDone' ? starts.get(event.testID) : undefined
    // Hidden tests load files or set up. They count only if they fail.
    if (event.type !== 'testDone' || test === undefined || (event.hidden && event.result === 'success')) return []
    const path = paths.get(test.suiteID) ?? ''
    const file = relativeFile(path, root)
    const own = errors.filter((error) => error.testID === event.testID)
    const message = own.map(({ error }) => error).join('\n')
    const declared = test.url?.endsWith(file) ? test.line : undefined
    const line = lineInTrace(own[0]?.stackTrace ?? '', root, file) ?? declared ?? lineInMessage(message, file)
    const isTest = !event.hidden && test.name !== `loading ${path}`
    const place = file === '' ? {} : { file, line, ...(!isTest && { standsFor: { testsIn: file } }) }
    return [{ status: statusOf(event), name: test.name, ...place, message }]
  })
}

function statusOf({ result, skipped }: Extract<DartEvent, { type: 'testDone' }>): TestStatus {
  if (skipped) return 'skipped'
  return result === 'success' ? 'passed' : 'failed'
}

function lineInTrace(trace: string, root: string, file: string): number | undefined {
  const frames = [...trace.matchAll(/^(\S.*?\.dart) (\d+):\d+ /gm)]
  const own = frames.find(([, path = '']) => relativeFile(path, root) === file)
  return own && Number(own[2])
}
