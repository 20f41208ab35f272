import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fixReportSchema } from '../../src/fix/fix-report.ts'
import { implementerPromptSchema } from '../../src/fix/implementer-prompt.ts'
import { implementerStatusSchema } from '../../src/fix/roles/implementer.ts'
import { promptWriterSchema } from '../../src/fix/roles/prompt-writer.ts'
import { summarizerSchema } from '../../src/fix/roles/summarizer.ts'
import { testTaskerSchema } from '../../src/fix/roles/test-tasker.ts'
import { scriptResultsSchema } from '../../src/fix/run-script.ts'
import { sessionsStatisticsSchema } from '../../src/fix/session-statistics.ts'
import { sessionStateSchema } from '../../src/fix/session-state.ts'
import { testResultsSchema } from '../../src/fix/test-results.ts'

const folder = join(import.meta.dirname, '../../docs/schemas')

const schemas = {
  'fix-state': z.toJSONSchema(sessionStateSchema),
  'fix-report': z.toJSONSchema(fixReportSchema),
  'fix-sessions': z.toJSONSchema(sessionsStatisticsSchema),
  'fix-test-results': z.toJSONSchema(testResultsSchema),
  'fix-script-results': z.toJSONSchema(scriptResultsSchema, { io: 'input' }),
  'fix-implementer-prompt': z.toJSONSchema(implementerPromptSchema),
  'fix-implementer-answer': z.toJSONSchema(implementerStatusSchema),
  'fix-prompt-writer-answer': z.toJSONSchema(promptWriterSchema),
  'fix-summarizer-answer': z.toJSONSchema(summarizerSchema),
  'fix-test-tasker-answer': z.toJSONSchema(testTaskerSchema),
}

test.each(Object.entries(schemas))('docs/schemas/%s.schema.json is current', async (name, schema) => {
  await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot(join(folder, `${name}.schema.json`))
})

test('a model can be held to the schema of each answer: all is required, and nothing else is allowed', () => {
  for (const [name, schema] of Object.entries(schemas).filter(([each]) => each.endsWith('-answer'))) {
    expect([name, schema.additionalProperties, schema.required]).toEqual([
      name,
      false,
      Object.keys(schema.properties ?? {}),
    ])
  }
})
