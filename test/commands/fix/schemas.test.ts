import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fixReportSchema } from '../../../src/commands/fix/session/fix-report.ts'
import {
  implementerPromptSchema,
  promptWriterSchema,
  summarizerSchema,
} from '../../../src/commands/fix/acts/write-prompt.ts'
import { implementerAnswerSchema, implementerStatusSchema } from '../../../src/commands/fix/session/finished-acts.ts'
import { testTaskerSchema } from '../../../src/commands/fix/acts/configure-tests.ts'
import { scriptResultsSchema } from '../../../src/commands/fix/acts/run-and-judge-tests.ts'
import { sessionsStatisticsSchema } from '../../../src/commands/sessions/sessions.ts'
import { sessionStateSchema } from '../../../src/commands/fix/session/session-state.ts'
import { testResultsSchema } from '../../../src/commands/fix/session/test-results.ts'

const folder = join(import.meta.dirname, '../../../docs/schemas')

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

test('an implementer may answer as the agent of a gate does, and say more', () => {
  const status = { status: 'done', summary: 'Added.', root_cause: '', changed_files: [] }
  expect(implementerAnswerSchema.parse({ fix_applied: 'Added.' })).toEqual(status)
  expect(implementerAnswerSchema.parse({ status: 'done', summary: 'Added.' })).toEqual(status)
  expect(implementerAnswerSchema.parse({ ...status, model: 'any' })).toEqual(status)
  expect(implementerAnswerSchema.safeParse({}).success).toBe(false)
  expect(z.toJSONSchema(implementerAnswerSchema)).toEqual(z.toJSONSchema(implementerStatusSchema))
})
