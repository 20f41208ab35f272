import { styleText } from 'node:util'
import type { Reporter, TestCase, Vitest } from 'vitest/node'
import { paintDifferences } from '../../plan/describe-failure.ts'
import type { StepMeta } from '../../plan/step-meta.ts'
import { reportersOf } from './untyped-members.ts'
import type {} from '../plugin/provided.ts'

type Annotations = ReturnType<TestCase['annotations']>

/** Members that some of Vitest's terminal reporters have. Checked with Vitest 4.1.12 and 5.1.1. */
interface TerminalReporter {
  printAnnotations?: (test: TestCase, ...rest: readonly unknown[]) => void
  getTestCaseSuffix?: (test: TestCase) => string
  onTestCaseResult?: (test: TestCase) => unknown
}

/** Shortens the terminal output: prints no annotation twice, marks claimed passes, and colors expected lines green. */
export function shortNotes(vitest: Vitest): Reporter {
  return {
    onInit() {
      const { logger } = vitest
      const { error } = logger
      if (typeof error === 'function')
        logger.error = (...words: unknown[]) => error.apply(logger, words.map(withGreenLines))
      for (const reporter of reportersOf(vitest) as readonly TerminalReporter[]) {
        const { printAnnotations, getTestCaseSuffix, onTestCaseResult } = reporter
        if (typeof printAnnotations === 'function') {
          reporter.printAnnotations = (test, ...rest) => printAnnotations.call(reporter, withShortNotes(test), ...rest)
        }
        if (typeof getTestCaseSuffix === 'function') {
          reporter.getTestCaseSuffix = (test) => {
            const isClaimed = test.meta().mdtest?.assurance === 'claimed'
            return `${getTestCaseSuffix.call(reporter, test)}${isClaimed ? styleText('yellow', ' ? claimed') : ''}`
          }
        }
        // With the original test, Vitest would print blank lines around annotations that are left out.
        if (typeof onTestCaseResult === 'function' && reporter.constructor.name === 'VerboseReporter') {
          reporter.onTestCaseResult = (test) => onTestCaseResult.call(reporter, withShortNotes(test))
        }
      }
    },
  }
}

/** Recolors expected lines within a message that Vitest prints in red. */
function withGreenLines(message: unknown): unknown {
  if (typeof message !== 'string' || !/^\u001b\[31m[^]*\u001b\[39m$/.test(message)) return message
  return paintDifferences(message, '\u001b[31m')
}

function withShortNotes(test: TestCase): TestCase {
  const meta = test.meta().mdtest
  if (meta === undefined) return test
  const notes = shortenNotes(test.annotations(), meta)
  return new Proxy(test, {
    get(target, key) {
      if (key === 'annotations') return () => notes
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Annotations that a failed step's message already contains. */
const inMessage: ReadonlySet<string> = new Set(
  'outcome reason rate log skip screenshot assurance source executor'.split(' '),
)
/** Annotations of a passed step that are noise, or that the summary repeats. */
const plain: ReadonlySet<string> = new Set(['outcome', 'screenshot', 'source', 'executor'])

function shortenNotes(annotations: Annotations, { outcome, log, assurance }: StepMeta): Annotations {
  const left = outcome === 'pass' ? plain : inMessage
  return annotations.flatMap((annotation): Annotations => {
    const name = /^mdtest:(.+)$/.exec(annotation.type)?.[1]
    if (name === undefined) return [annotation]
    // The test's line already shows some assurances: `? claimed`, or `✓` for blocks.
    const isSaid = name === 'assurance' && (log === undefined || assurance === 'claimed')
    return left.has(name) || isSaid
      ? []
      : [{ ...annotation, type: 'mdtest', message: `${name}: ${annotation.message}` }]
  })
}
