import { z } from 'zod'

const attachment = z.object({
  contentType: z.string().optional(),
  body: z.string().optional(),
  path: z.string().optional(),
})

/** One file, suite or test in the data of the reporters `html` and `blob`, without times and ids. */
export interface ReportedTask {
  readonly name: string
  readonly type: string
  readonly mode: string
  readonly location?: unknown
  readonly meta: unknown
  readonly result?: unknown
  readonly annotations?: unknown
  readonly tasks?: readonly ReportedTask[] | undefined
}

const task: z.ZodType<ReportedTask> = z.lazy(() =>
  z.object({
    name: z.string(),
    type: z.string(),
    mode: z.string(),
    location: z.object({ line: z.number(), column: z.number() }).optional(),
    meta: z.record(z.string(), z.unknown()),
    result: z
      .object({
        state: z.string(),
        note: z.string().optional(),
        retryCount: z.number().optional(),
        errors: z
          .array(
            z.object({
              name: z.string().optional(),
              message: z.string(),
              stack: z.string().transform(withoutVitest).optional(),
            }),
          )
          .optional(),
      })
      .optional(),
    annotations: z
      .array(z.object({ type: z.string(), message: z.string(), attachment: attachment.optional() }))
      .optional(),
    tasks: z.array(task).optional(),
  }),
)

/** Frames of Vitest's own are those of its place and version. */
function withoutVitest(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .join('\n')
}

/** What the reporters `html` and `blob` keep of a run, by name of the file. */
export function readTasks(files: unknown): readonly ReportedTask[] {
  const read = z.array(task).parse(files)
  return read.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
