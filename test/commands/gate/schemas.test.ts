import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { gateConfigSchema } from '../../../src/commands/project-config/gate-config.ts'
import { gateResultsSchema, validationSchema } from '../../../src/commands/gate/evidence.ts'

const folder = join(import.meta.dirname, '../../../docs/schemas')

/** Evidence as it is written; a configuration as it may be. */
const schemas = {
  'gate-results': z.toJSONSchema(gateResultsSchema),
  'gate-validation': z.toJSONSchema(validationSchema),
  'gate-config': z.toJSONSchema(gateConfigSchema, { io: 'input' }),
}

test.each(Object.entries(schemas))('docs/schemas/%s.schema.json is current', async (name, schema) => {
  await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot(join(folder, `${name}.schema.json`))
})
