import { frontMatterSchema } from './result-log-schema.ts'
import type { ResultLogSchema } from './result-log.ts'

/** Checks data as the front matter of a result log. It is a schema of zod, whose types programs need not have. */
export const resultLogSchema: ResultLogSchema = frontMatterSchema
