// A Vitest reporter that notes when each test's result reached the main process.
// JavaScript: a plain Node.js loads it from a project in a temporary folder, without jiti.
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
