import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { pathIn } from '../../system/files/paths.ts'
import { parseJson } from '../../system/text/parse-json.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { createFile, makeFolder } from '../../system/files/write-file.ts'
import { logFolder } from '../folders/log-paths.ts'
import { writeLogFile, groundOfLogs, type LogPlace } from '../folders/log-file.ts'
import { assurances, outcomes } from '../outcome.ts'

const scenarioOutcomeSchema = z.object({
  version: z.literal(1),
  spec: z.string(),
  scenario: z.string(),
  outcome: z.enum(outcomes),
  assurance: z.enum(assurances).exactOptional(),
  endedAt: z.iso.datetime(),
  agent: z.string().exactOptional(),
  /** The requirements that are proved. Each has a hash of its text and of the scenario's text. */
  proves: z.record(z.string(), z.string()),
})

export type ScenarioOutcome = z.infer<typeof scenarioOutcomeSchema>

export type EndedScenario = Omit<ScenarioOutcome, 'version' | 'spec'>

/** Writes one file per scenario: parallel runs then overwrite nothing. @throws MdtestError `LOG_UNWRITABLE` */
export function writeOutcome(place: LogPlace, ended: EndedScenario): void {
  const folder = logFolder(place)
  const ground = groundOfLogs(place)
  const outcome: ScenarioOutcome = { version: 1, spec: pathIn(place.root, place.specFile), ...ended }
  const file = outcomeFile(folder, outcome)
  makeFolder(ground, join(folder, outcomesFolder))
  createFile(ground, join(folder, '.gitignore'), '*\n')
  writeLogFile(ground, file, `${JSON.stringify(outcome, undefined, 2)}\n`)
}

const maxBytes = 1024 * 1024

export function readOutcome(place: LogPlace, { title }: { readonly title: string }): ScenarioOutcome | undefined {
  const file = outcomeFile(logFolder(place), { scenario: title })
  const read = readFileIn(groundOfLogs(place), file, maxBytes)
  const { data } = scenarioOutcomeSchema.safeParse(read.ok ? parseJson(read.bytes.toString('utf8')) : undefined)
  return data?.scenario === title ? data : undefined
}

const outcomesFolder = 'outcomes'

function outcomeFile(folder: string, { scenario }: Pick<ScenarioOutcome, 'scenario'>): string {
  const name = createHash('sha256').update(scenario).digest('hex').slice(0, 32)
  return join(folder, outcomesFolder, `${name}.json`)
}
