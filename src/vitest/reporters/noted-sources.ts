import { resolve } from 'node:path'
import type { TestCase, TestModule } from 'vitest/node'
import type { NotedSources } from '../../host/rewrite/note-sources.ts'
import { sourceWord, withReasons, type StepSource } from '../../records/step-source.ts'
import type {} from '../plugin/provided.ts'

/**
 * Tells tests which steps were recorded, and why others were not. Workers cannot: recordings are made after all tests,
 * when a test was already sent.
 */
export function noteInTests(module: TestModule, noted: readonly NotedSources[], root: string): void {
  const tests = [...module.children.allTests()]
  for (const { log, steps } of noted) {
    for (const step of steps) {
      const test = tests[step.test]
      if (test?.name === step.title) noteInTest(test, step.source, { log, root })
    }
  }
}

interface Paths {
  readonly log: string
  readonly root: string
}

function noteInTest(test: TestCase, source: StepSource, { log, root }: Paths): void {
  const all = test.meta()
  const { mdtest } = all
  if (mdtest?.log === undefined || resolve(root, mdtest.log) !== log) return
  if (mdtest.source === undefined || mdtest.source.kind === 'replayed') return
  // Paths in the verdict file are relative to the root, those of a test absolute.
  const told = withReasons(source, (reason) => (reason.file ? { ...reason, file: resolve(root, reason.file) } : reason))
  all.mdtest = { ...mdtest, source: told }
  for (const annotation of test.annotations()) {
    if (annotation.type === 'mdtest:source') annotation.message = sourceWord(source)
  }
}
