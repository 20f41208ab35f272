import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { frontMatterSchema, stepResultSchema } from '../../src/records/result-log/result-log-schema.ts'
import type { ResultLog, StepResult } from '../../src/records/result-log/result-log.ts'
import type { McpServers } from '../../src/spec/front-matter/front-matter.ts'
import type { mcpServersSchema } from '../../src/spec/front-matter/servers-and-logins.ts'
// Published declarations name no package that is not installed, so these types are written beside their schemas.
type Checked<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

test('the published types are those that the schemas check', () => {
  expectTypeOf<Checked<typeof frontMatterSchema>>().toEqualTypeOf<ResultLog>()
  expectTypeOf<Checked<typeof stepResultSchema>>().toEqualTypeOf<StepResult>()
  expectTypeOf<Checked<typeof mcpServersSchema>>().toEqualTypeOf<McpServers>()
})
