import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { assurances, outcomes } from '../records/outcome.ts'
import { messageOf } from '../system/error-facts.ts'
import { MdtestError } from '../system/mdtest-error.ts'

const said = z.object({ status: z.enum(outcomes).exactOptional(), observed: z.string().exactOptional() })
const reason = z.object({
  code: z.string(),
  message: z.string(),
  line: z.number().exactOptional(),
  file: z.string().exactOptional(),
})
const step = z.object({
  titles: z.array(z.string()),
  line: z.number().exactOptional(),
  file: z.string().exactOptional(),
  outcome: z.enum(outcomes),
  assurance: z.enum(assurances).exactOptional(),
  source: z.object({ kind: z.enum(['replayed', 'agent', 'handed-over']) }).exactOptional(),
  reasons: z.array(reason),
  expected: z.array(reason).exactOptional(),
  flaky: z.unknown().exactOptional(),
  said: said.exactOptional(),
  checks: z.array(said.extend({ n: z.number(), text: z.string() })),
  images: z.array(z.object({ path: z.string() })),
})
const spec = z.object({
  spec: z.string(),
  project: z.string().exactOptional(),
  title: z.string(),
  outcome: z.enum(outcomes),
  problems: z.array(z.object({ message: z.string(), line: z.number().exactOptional() })),
  steps: z.array(step),
})
const summary = z.object({
  wallTimeMs: z.number(),
  missing: z.number(),
  errors: z.array(z.string()),
  specs: z.array(z.object({ key: z.string().regex(/^[\da-f]{16}$/), costUsd: z.number().exactOptional() })),
})

export type ReadStep = z.infer<typeof step>
export type ReadSpec = z.infer<typeof spec>

export interface ReadReport extends Pick<z.infer<typeof summary>, 'wallTimeMs' | 'missing' | 'errors'> {
  readonly specs: readonly ReadSpec[]
  /** Absent if no agent reported its cost. */
  readonly costUsd?: number
}

/** Reads the data in a report's folder, which may be forged. @throws {MdtestError} `LOG_UNREADABLE` */
export function readReport(dir: string): ReadReport {
  try {
    const { specs: listed, ...run } = summary.parse(
      JSON.parse(textAfter(join(dir, 'summary.js'), 'var mdtestSummary=')),
    )
    const there = new Set(readdirSync(join(dir, 'specs')))
    const specs = listed.flatMap(({ key }) => {
      const start = `mdtestShow(${JSON.stringify(key)},`
      return there.has(`${key}.js`)
        ? [spec.parse(JSON.parse(textAfter(join(dir, 'specs', `${key}.js`), start).replace(/\)\n?$/, '')))]
        : []
    })
    const costs = listed.flatMap(({ costUsd }) => costUsd ?? [])
    const missing = run.missing + listed.length - specs.length
    return { ...run, missing, specs, ...(costs.length > 0 && { costUsd: costs.reduce((sum, one) => sum + one, 0) }) }
  } catch (error: unknown) {
    throw new MdtestError(
      'LOG_UNREADABLE',
      `There is no report in \`${dir}\` that can be read (${messageOf(error)}).`,
      {
        hint: 'Run the specs with `--report` or the reporter `vitest-mdtest/reporter`, and name its folder.',
        cause: error,
      },
    )
  }
}

function textAfter(file: string, start: string): string {
  const text = readFileSync(file, 'utf8')
  if (text.startsWith(start)) return text.slice(start.length)
  throw new Error(`\`${file}\` does not begin with \`${start}\``)
}
