import { z } from 'zod'
import { attemptOutcomes, freshStartReasons } from '../../commands/fix/session/history.ts'
import { fixResults } from '../../commands/fix/session/session-state.ts'
import { failureSchema } from '../../commands/fix/session/test-results.ts'

const count = z.number().int().nonnegative()

/** A file in the folder of the report: no record may name one elsewhere. */
const keptFile = z.object({
  /** What it is to a reader, for example `prompt`. */
  title: z.string(),
  bytes: count,
  /** Absent for what was too large to be copied. */
  path: z
    .string()
    .regex(/^session-files\/[\w-][\w.-]*$/)
    .exactOptional(),
})

/** A test that failed before or after an attempt. */
const comparedTest = z.object({
  /** What an attempt has made of it: `fixed` passes now, `still` fails as before, `new` did not fail before. */
  change: z.enum(['fixed', 'still', 'new']),
  key: z.string(),
  /** How it failed, as far as it is known; each absent where it did not. */
  before: failureSchema.exactOptional(),
  after: failureSchema.exactOptional(),
  /** It is not to be fixed, but may not be broken either. */
  isOutside: z.literal(true).exactOptional(),
})

/** What became of the work of an attempt. `open`: it was never judged. */
const fates = ['kept', 'undone', 'waited', 'open'] as const

const attempt = z.object({
  kind: z.literal('attempt'),
  /** From 1. */
  attempt: z.int().min(1),
  /** Of implementers, from 1. */
  session: z.int().min(1),
  outcome: z.enum(attemptOutcomes),
  fate: z.enum(fates),
  /** The same as a sentence, with the reason. */
  verdict: z.string(),
  prompt: z.object({ text: z.string(), writtenBy: z.string() }).exactOptional(),
  /** What the agent says that it did, or why it broke off. */
  summary: z.string(),
  rootCause: z.string().exactOptional(),
  changedFiles: z.array(z.string()),
  /** Changes that did not count. */
  leftOut: z.array(z.object({ path: z.string(), reason: z.string() })).exactOptional(),
  /** Those of them that nobody may change. */
  protectedFiles: z.array(z.string()),
  failingBefore: count.exactOptional(),
  failingAfter: count.exactOptional(),
  total: count.exactOptional(),
  tests: z.array(comparedTest),
  /** Names of tests that failed once and passed when they ran again. */
  flaky: z.array(z.string()),
  startedAt: z.iso.datetime().exactOptional(),
  durationMs: z.number().nonnegative().exactOptional(),
  files: z.array(keptFile),
})

/** Tests ran where no attempt is judged: at first, and after somebody wanted to go on. */
const tests = z.object({
  kind: z.literal('tests'),
  total: count,
  failing: z.array(failureSchema),
  others: count,
  blocked: z.array(z.string()),
  flaky: z.array(z.string()),
  files: z.array(keptFile),
})

/** What was done, oldest first. */
const chapter = z.discriminatedUnion('kind', [
  tests,
  attempt,
  z.object({ kind: z.literal('summary'), version: z.int(), text: z.string(), reason: z.enum(freshStartReasons) }),
  /** A new implementer begins. */
  z.object({ kind: z.literal('session'), session: z.int().min(1), reason: z.enum(freshStartReasons) }),
  z.object({ kind: z.literal('resumed') }),
  z.object({ kind: z.literal('broke'), message: z.string() }),
])

/** All that a report tells of a session of `mdtest fix`, in `data/`. */
export const sessionRecordSchema = z.object({
  version: z.literal(1),
  /** Name of its folder. */
  id: z.string(),
  feature: z.string(),
  /** `null` while it is not over. */
  result: z.enum(fixResults).nullable(),
  /** Why it ended, a sentence. */
  reason: z.string().nullable(),
  scope: z.string().nullable(),
  runner: z.string().nullable(),
  agent: z.string(),
  total: count.nullable(),
  /** How many tests failed at first and fail now; `null` where they never ran. */
  failingFirst: count.nullable(),
  failingLast: count.nullable(),
  startedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Worked on, all parts of it. */
  durationMs: z.number().nonnegative(),
  /** Absent where no agent told any. */
  costUsd: z.number().nonnegative().exactOptional(),
  /** Calls of agents that did not tell all of it. */
  callsWithoutCost: count.exactOptional(),
  /** Of what still fails. */
  failing: z.array(failureSchema),
  /** What a person should look at; code stands between backticks. */
  next: z.array(z.string()),
  /** How to go on; absent where it succeeded. */
  resume: z.string().exactOptional(),
  branch: z.string().exactOptional(),
  /** The files before the first attempt: a ref of git, or a file. */
  firstCheckpoint: z.string().exactOptional(),
  halt: z.string().exactOptional(),
  chapters: z.array(chapter),
  files: z.array(keptFile),
  /** What is missing or cannot be read. */
  notes: z.array(z.string()),
})

/** All that a report tells of a session. */
export type SessionRecord = z.infer<typeof sessionRecordSchema>
export type Chapter = SessionRecord['chapters'][number]
export type ToldAttempt = Extract<Chapter, { readonly kind: 'attempt' }>
export type ToldTests = Extract<Chapter, { readonly kind: 'tests' }>
export type ComparedTest = ToldAttempt['tests'][number]
export type SessionFile = SessionRecord['files'][number]

/** All files that a record names. */
export function filesOf({ files, chapters }: Pick<SessionRecord, 'files' | 'chapters'>): readonly SessionFile[] {
  return [...files, ...chapters.flatMap((chapter) => ('files' in chapter ? chapter.files : []))]
}
