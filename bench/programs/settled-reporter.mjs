// A Vitest reporter that records when each test's result arrives in the main process.
// In JavaScript, because Node.js loads it without jiti, from a project in a temporary folder.
import { appendFileSync } from 'node:fs'

export default class {
  onTestCaseResult(test) {
    const line = JSON.stringify({
      title: test.name,
      file: test.module.moduleId,
      state: test.result().state,
      atMs: Date.now(),
    })
    appendFileSync(process.env.BENCH_SETTLED, `${line}\n`)
  }
}
