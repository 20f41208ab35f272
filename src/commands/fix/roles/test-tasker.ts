import { z } from 'zod'

/** What a test tasker answers. */
export const testTaskerSchema = z.strictObject({
  /** What is tested, a sentence. */
  description: z.string(),
  /** Paths of the tests, relative to the root. */
  test_files: z.array(z.string()),
  /** An executable script with its first line, such as `#!/bin/sh`. */
  script: z.string().startsWith('#!'),
})

/** Asks how the tests of a project are run. */
export function testTaskerPrompt(task: {
  readonly feature: string
  readonly scope: string | null
  readonly docs: readonly string[]
}): string {
  return `Find out how the tests of this project are run. Change nothing. Write a script that runs, from the root of the project,
the tests of ${JSON.stringify(task.feature)}${task.scope === null ? '' : ` in \`${task.scope}\``}, without questions and without watching.

The script exits with 0 where all tests passed and with 1 where any failed. As its last output it prints one JSON object:

{ "total": 3, "failed": 1, "passed": [{ "name": "doubles", "file": "tests/sum.test" }, { "name": "halves", "file": "tests/sum.test" }], "details": [{ "name": "adds", "file": "tests/sum.test", "line": 4, "message": "expected 3, got 2" }], "summary_path": "path of a file with the whole output" }

\`total\` counts tests that were executed. \`passed\` has each test that passed, \`details\` each that failed, by names that are the same in each run;
\`file\` (relative to the root), \`line\`, \`expected\` and \`received\` may be left out. It prints that object also where tests cannot start, with what is known.
${task.docs.length === 0 ? '' : `\nDocuments: ${task.docs.join(', ')}`}`
}
