import { join, isAbsolute } from 'node:path'
import type { Runner, FailingTest, NamedTest, RunnerResults } from '../runner.ts'
import { scopeArguments, anyTitle } from '../command-parts.ts'
import { z } from 'zod'
import { readResultsFile, parseJson, countTests, noResults, type TestStatus, messageOf } from '../readers/reading.ts'
import { readComparison } from '../readers/comparison.ts'
import { lineInMessage, relativeFile, type Place } from '../readers/place.ts'

export const dart: Runner<'dart'> = dartRunner('dart', { files: [{ name: /^pubspec\.yaml$/ }] })

/** Flutter takes the same options. */
function dartRunner<Name extends 'dart' | 'flutter'>(
  name: Name,
  shown: Pick<Runner, 'files' | 'supersedes'>,
): Runner<Name> {
  const results = `${name}.jsonl`
  const reporters = (resultsDir: string): readonly string[] => [`--file-reporter=json:${join(resultsDir, results)}`]
  return {
    name,
    ...shown,
    form: new RegExp(`${name} +test`),
    template: { all: `${name} test`, file: `${name} test ./FILE`, pattern: `${name} test --name=PATTERN` },
    buildCommand({ run, resultsDir }) {
      const options = ['--reporter=expanded', ...reporters(resultsDir)]
      return { argv: [name, 'test', ...options, ...scopeArguments(run, { pattern: (names) => [`--name=${names}`] })] }
    },
    selectTests: anyTitle,
    reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
    async readResults({ resultsDir, root }) {
      return readDartEvents(await readResultsFile(join(resultsDir, results)), root)
    },
  }
}

export const flutter: Runner<'flutter'> = dartRunner('flutter', {
  files: [{ name: /^pubspec\.yaml$/, content: /^\s+sdk:\s*flutter\b/m }],
  // A package of Flutter is one of Dart, too, which `dart test` cannot run.
  supersedes: 'dart',
})

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start') }),
  z.object({ type: z.literal('suite'), suite: z.object({ id: z.number(), path: z.string().nullish() }) }),
  z.object({
    type: z.literal('testStart'),
    test: z.object({
      id: z.number(),
      name: z.string(),
      suiteID: z.number(),
      line: z.number().nullish(),
      url: z.string().nullish(),
    }),
  }),
  z.object({ type: z.literal('error'), testID: z.number(), error: z.string(), stackTrace: z.string() }),
  z.object({
    type: z.literal('testDone'),
    testID: z.number(),
    result: z.string(),
    skipped: z.boolean(),
    hidden: z.boolean(),
  }),
])

type DartEvent = z.infer<typeof eventSchema>
type TestStart = Extract<DartEvent, { type: 'testStart' }>['test']
type DartError = Extract<DartEvent, { type: 'error' }>

/** Reads the events of `--file-reporter=json`, of package:test and so of Flutter. A file that cannot be loaded is a failed test. */
function readDartEvents(text: string | undefined, root: string): RunnerResults {
  const events = (text ?? '').split('\n').flatMap((line): DartEvent[] => {
    const event = eventSchema.safeParse(parseJson(line))
    return event.success ? [event.data] : []
  })
  if (events.length === 0) return noResults
  const paths = new Map(
    events.flatMap((event) => (event.type === 'suite' ? [[event.suite.id, event.suite.path ?? '']] : [])),
  )
  const starts = new Map(events.flatMap((event) => (event.type === 'testStart' ? [[event.test.id, event.test]] : [])))
  // Hidden are the loading of files and what is set up; these count only when they fail.
  const done = events
    .filter((event) => event.type === 'testDone')
    .filter((event) => !event.hidden || event.result !== 'success')
  const failed = done.filter((event) => statusOf(event) === 'failed')
  const errors = events.filter((event) => event.type === 'error')
  return {
    counts: countTests(done.map(statusOf)),
    failingTests: failed.flatMap(({ testID, hidden }): FailingTest[] => {
      const test = starts.get(testID)
      const own = errors.filter((error) => error.testID === testID)
      const path = paths.get(test?.suiteID ?? -1) ?? ''
      const told = { root, path, errors: own, isTest: !hidden && test?.name !== `loading ${path}` }
      return test ? [failingTest(test, told)] : []
    }),
    passedTests: done
      .filter((event) => statusOf(event) === 'passed')
      .flatMap(({ testID }): NamedTest[] => {
        const test = starts.get(testID)
        const file = relativeFile(paths.get(test?.suiteID ?? -1) ?? '', root)
        return test ? [{ name: test.name, ...(file !== '' && { file }) }] : []
      }),
  }
}

function statusOf({ result, skipped }: Extract<DartEvent, { type: 'testDone' }>): TestStatus {
  if (skipped) return 'skipped'
  return result === 'success' ? 'passed' : 'failed'
}

interface FailureContext {
  readonly root: string
  readonly path: string
  readonly errors: readonly DartError[]
  readonly isTest: boolean
}

function failingTest(test: TestStart, { root, path, errors, isTest }: FailureContext): FailingTest {
  const file = relativeFile(path, root)
  const message = messageOf(errors.map(({ error }) => error).join('\n'))
  const line = (test.url?.endsWith(file) ? test.line : undefined) ?? lineInMessage(message, file)
  return {
    name: test.name,
    ...(file !== '' && { file }),
    ...(typeof line === 'number' && { line }),
    ...placeInTrace(errors[0]?.stackTrace ?? '', { root, file }),
    message,
    ...readComparison(message),
    ...(!isTest && { standsFor: 'tests' as const }),
  }
}

function placeInTrace(
  trace: string,
  { root, file }: { readonly root: string; readonly file: string },
): Place | undefined {
  const frames = [...trace.matchAll(/^(\S.*?\.dart) (\d+):\d+ /gm)]
  const own = frames.find(([, path = '']) => {
    const frame = relativeFile(path, root)
    return !isAbsolute(frame) && frame === file
  })
  return own && { file, line: Number(own[2]) }
}
