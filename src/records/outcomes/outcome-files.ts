import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { pathIn } from '../../system/files/paths.ts'
import { parseJson } from '../../system/text/parse-json.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { createFile, makeFolder } from '../../system/files/write-file.ts'
import { logFolder, type LogRequest } from '../folders/log-paths.ts'
import { writeLogFile, groundOfLogs } from '../folders/log-file.ts'
import { assurances, outcomes } from '../outcome.ts'

const scenarioOutcomeSchema = z.object({
  version: z.literal(1),
  spec: z.string(),
  scenario: z.string(),
  outcome: z.enum(outcomes),
  assurance: z.enum(assurances).exactOptional(),
  endedAt: z.iso.datetime(),
  agent: z.string().exactOptional(),
  /** What was proved: by requirement, a key of what it and the scenario said. */
  proves: z.record(z.string(), z.string()),
})

export type ScenarioOutcome = z.infer<typeof scenarioOutcomeSchema>

export type OutcomePlace = Pick<LogRequest, 'specFile' | 'root' | 'dir'>

export type EndedScenario = Omit<ScenarioOutcome, 'version' | 'spec'>

/** Each scenario has a file of its own: two runs at once lose nothing. @throws MdtestError `LOG_UNWRITABLE` */
export function writeOutcome(place: OutcomePlace, ended: EndedScenario): void {
  const folder = logFolder(place)
  const ground = groundOfLogs(place)
  const outcome: ScenarioOutcome = { version: 1, spec: pathIn(place.root, place.specFile), ...ended }
  const file = fileOf(folder, outcome)
  makeFolder(ground, join(folder, outcomesFolder))
  createFile(ground, join(folder, '.gitignore'), '*\n')
  writeLogFile(ground, file, `${JSON.stringify(outcome, undefined, 2)}\n`)
}

const maxBytes = 1024 * 1024

/** What became of a scenario last; `undefined` where nothing is known. Never throws, whatever is there. */
export function readOutcome(place: OutcomePlace, { title }: { readonly title: string }): ScenarioOutcome | undefined {
  const file = fileOf(logFolder(place), { scenario: title })
  const read = readFileIn(groundOfLogs(place), file, maxBytes)
  const { data } = scenarioOutcomeSchema.safeParse(read.ok ? parseJson(read.bytes.toString('utf8')) : undefined)
  return data?.scenario === title ? data : undefined
}

const outcomesFolder = 'outcomes'

function fileOf(folder: string, { scenario }: Pick<ScenarioOutcome, 'scenario'>): string {
  const name = createHash('sha256').update(scenario).digest('hex').slice(0, 32)
  return join(folder, outcomesFolder, `${name}.json`)
}
