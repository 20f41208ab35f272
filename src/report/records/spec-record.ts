import { z } from 'zod'
import { journalEntrySchema } from '../../records/journal/journal.ts'
import { stepResultSchema } from '../../records/result-log/result-log-schema.ts'
import {
  outcomeSchema,
  reasonSchema,
  executorSchema,
  sourceSchema,
  usageSchema,
} from '../../records/verdict/verdict-record-schema.ts'
import { assurances } from '../../records/outcome.ts'

const count = z.number().int().nonnegative()
const line = z.number().int().positive()
/** Path of an included file, relative to the suite root; absent where a line is in the spec itself. */
const includedFile = z.string().exactOptional()
const said = stepResultSchema.pick({ status: true, observed: true, evidence: true }).partial()

/** A file in the folder of the report: no record may name one elsewhere. */
const keptPath = z.string().regex(/^(?:images|logs)\/[\w-][\w.-]*$/)

/** A screenshot: its name in the folder for evidence, and its path in the folder of the report. */
const image = z.object({ name: z.string(), path: keptPath })

const stepCheck = said.extend({
  /** Place in the step, counted from 1. */
  n: line,
  text: z.string(),
  line: line.exactOptional(),
  file: includedFile,
})

const keptFile = z.object({
  /** What it is to a reader, for example `agent output`, or its name in the folder for evidence. */
  title: z.string(),
  bytes: count,
  /** Path in the folder of the report; absent for what was too large to be copied. */
  path: keptPath.exactOptional(),
})

/** What the browser told while a step was under way, whatever became of it. Of many the first are kept. */
const findings = z.object({
  consoleErrors: z.object({ count, first: z.array(z.string()) }),
  failedRequests: z.object({
    count,
    /** `404`, `ERR_CONNECTION_REFUSED`, each once. */
    statuses: z.array(z.string()),
    /** `GET http://127.0.0.1:3000/help: 404 Not Found` */
    first: z.array(z.string()),
  }),
})

const reportedStep = z.object({
  /** Part of the address of the step in the report, unique in its spec. */
  anchor: z.string(),
  /** Titles of the headings above it in the scenario, then its own. */
  titles: z.array(z.string()),
  /** Line of the heading, or of a row in a table; absent where the spec could not be read. */
  line: line.exactOptional(),
  file: includedFile,
  outcome: outcomeSchema,
  assurance: z.enum(assurances).exactOptional(),
  /** Who carried it out. */
  source: sourceSchema.exactOptional(),
  executor: executorSchema.exactOptional(),
  reasons: z.array(reasonSchema),
  /** What failed in a step that is expected to. */
  expected: z.array(reasonSchema).exactOptional(),
  /** Name of the change until which it is expected to fail. */
  change: z.string().exactOptional(),
  rate: z.object({ passed: count, runs: count, required: count }).exactOptional(),
  flaky: z.literal(true).exactOptional(),
  durationMs: z.number().nonnegative(),
  /** What the agent said of it. */
  said: said.exactOptional(),
  checks: z.array(stepCheck),
  /** Tool calls that were seen for it. */
  calls: z.array(journalEntrySchema),
  /** Screenshots that were made for it, that it cites, or that are named like it. */
  images: z.array(image),
  /** Texts that were kept with one of these, such as console and network of the page. */
  files: z.array(keptFile),
  findings: findings.exactOptional(),
})

const agentRun = z.object({
  /** Title of the scenario. */
  scenario: z.string(),
  /** Which scenario of the spec that is, counted from 1; absent in older records. */
  ordinal: line.exactOptional(),
  agent: z.string().exactOptional(),
  startedAt: z.iso.datetime().exactOptional(),
  attempt: line.exactOptional(),
  usage: usageSchema.exactOptional(),
  /** What the agent wrote below the front matter of its log. */
  narrative: z.string(),
  /** The last that its model said, where there is no log. */
  lastWords: z.string().exactOptional(),
  otherCalls: z.array(journalEntrySchema),
  /** What is to be known besides: no verdict, an unreadable journal. */
  notes: z.array(z.string()),
  /** Screenshots that belong to no step. */
  images: z.array(image),
  /** Log, journal and so on, and texts in the folder for evidence that belong to no step. */
  files: z.array(keptFile),
})

/** All that a report tells of one spec, in `data/`. A report is made of these alone. */
export const specRecordSchema = z.object({
  version: z.literal(1),
  /** Path relative to the suite root, with slashes. */
  spec: z.string(),
  /** Name of the Vitest project, where it is not `mdtest`. */
  project: z.string().exactOptional(),
  /** Of a file with several scenarios that name each of them alone: its path. */
  title: z.string(),
  /** Where there are several. */
  scenarios: z.array(z.object({ ordinal: line, title: z.string(), line })).exactOptional(),
  /** Address of the application, without credentials. */
  baseUrl: z.string().exactOptional(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  durationMs: z.number().nonnegative(),
  outcome: outcomeSchema,
  /** The markdown of the spec, then that of the files it includes; none where it could not be read. */
  sources: z.array(z.object({ file: includedFile, text: z.string() })),
  /** What is wrong outside of any step. */
  problems: z.array(z.object({ message: z.string(), line: line.exactOptional() })),
  steps: z.array(reportedStep),
  runs: z.array(agentRun),
})

/** All that a report tells of one spec. */
export type SpecRecord = z.infer<typeof specRecordSchema>
/** One step of it. */
export type ReportedStep = SpecRecord['steps'][number]
/** What the browser told while it was under way. */
export type StepFindings = z.infer<typeof findings>
/** One of its checks. */
export type ReportedCheck = ReportedStep['checks'][number]
/** What an agent did for one of its scenarios. */
export type AgentRun = SpecRecord['runs'][number]

/** Address of a spec in the report. */
export function specAnchor({ spec, project }: Pick<SpecRecord, 'spec' | 'project'>): string {
  return project === undefined ? spec : `${project}:${spec}`
}
