import { posix } from 'node:path'
import { withoutFrontMatterCredentials } from '../../spec/browser/credentials.ts'
import { placedSteps, type PlacedStep, type Spec, type Step } from '../../spec/spec.ts'
import { pathIn } from '../../system/files/paths.ts'
import type { KeptFiles } from '../folder/kept-files.ts'
import { isTrafficOf, readAgentRun, type ReadAgentRun, type ReadStep } from './read-agent-run.ts'
import { withFiles } from './ended-step.ts'
import type { EndedSpec, EndedStep, ReportedStep, SpecRecord } from './spec-record.ts'

export async function recordSpec(ended: EndedSpec, kept: KeptFiles): Promise<SpecRecord> {
  const { file, root, project, baseUrl, startedAt, endedAt, durationMs, outcome, parsed } = ended
  const places = placeSteps(ended.steps, parsed)
  const runs = await readRuns(ended, { places, kept })
  const pathOf = (path: string): string => pathIn(root, path)
  const spec = pathOf(file)
  const steps = ended.steps.map((step, index) => {
    const place = places[index]
    const id = place?.step.id ?? `step-${index + 1}`
    const ordinal = place?.scenario.ordinal ?? 1
    // Ids of steps are unique only in one scenario, so add the ordinal of the scenario.
    const anchor = ordinal === 1 ? id : `${ordinal}/${id}`
    return recordStep(step, { anchor, step: place?.step, run: runs.get(step.logFile ?? ''), pathOf })
  })
  const shown = new Set(steps.flatMap(({ images, files }) => [...images, ...files]).map(({ path }) => path))
  return {
    spec,
    ...(project !== undefined && { project }),
    title: specTitle(parsed) ?? spec,
    ...(parsed !== undefined &&
      parsed.scenarios.length > 1 && {
        scenarios: parsed.scenarios.map(({ ordinal, title, line }) => ({ ordinal, title, line })),
      }),
    ...(baseUrl !== undefined && { baseUrl: withoutCredentials(baseUrl) }),
    ...{ startedAt, endedAt, durationMs, outcome },
    sources: [
      ...(ended.text === undefined ? [] : [{ text: withoutFrontMatterCredentials(ended.text) }]),
      ...[...ended.included].map(([path, text]) => ({ file: pathOf(path), text })),
    ],
    problems: ended.problems,
    steps,
    runs: [...runs.values()].map(({ run }) => ({
      ...run,
      images: run.images.filter(({ path }) => !shown.has(path)),
      files: run.files.filter(({ path }) => path === undefined || !shown.has(path)),
    })),
  }
}

function specTitle(parsed: EndedSpec['parsed']): string | undefined {
  const isOfFirst = parsed !== undefined && parsed.scenarios.length > 1 && parsed.scenarios[0]?.title === parsed.title
  return isOfFirst && parsed.frontMatter.title === undefined ? undefined : parsed?.title
}

function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return ''
  const url = new URL(address)
  if (url.username === '' && url.password === '') return address
  url.username = ''
  url.password = ''
  return url.href
}

/** Reads the runs whose result logs the steps name. Other logs are from other attempts. */
async function readRuns(
  { file, steps, parsed }: EndedSpec,
  { places, kept }: { readonly places: readonly (PlacedStep | undefined)[]; readonly kept: KeptFiles },
): Promise<ReadonlyMap<string, ReadAgentRun>> {
  const runs = new Map<string, ReadAgentRun>()
  for (const [index, { logFile, titles }] of steps.entries()) {
    if (logFile === undefined || runs.has(logFile)) continue
    const ended = steps.filter((step) => step.logFile === logFile)
    const title = titles[0] ?? parsed?.title ?? ''
    const ordinal = places[index]?.scenario.ordinal
    const input = { specFile: file, logFile, title, ended, kept, ...(ordinal !== undefined && { ordinal }) }
    runs.set(logFile, await readAgentRun(input))
  }
  return runs
}

interface StepContext {
  readonly anchor: string
  readonly step: Step | undefined
  readonly run: ReadAgentRun | undefined
  pathOf(file: string): string
}

function recordStep(ended: EndedStep, { anchor, step, run, pathOf }: StepContext): ReportedStep {
  const { logFile: _logFile, logText: _logText, usage: _usage, ...facts } = ended
  const done = run?.steps.find(({ id }) => id === step?.id)
  const images =
    done === undefined && ended.outcome === 'blocked' ? (run?.run.images.slice(-1) ?? []) : imagesFor(done, run)
  const stems = images.map(({ name }) => name.replace(/\.[^./]*$/, ''))
  return {
    anchor,
    ...withFiles(facts, pathOf),
    ...(step && { line: step.line }),
    ...(step?.file !== undefined && { file: pathOf(step.file) }),
    ...(done?.result && { said: done.result }),
    checks: checksOf(step, done),
    calls: done?.calls ?? [],
    images,
    // Show logs of console and network, and files that belong to an image, as `1-pay.txt` belongs to `1-pay.jpg`.
    files: (run?.run.files ?? []).filter(
      ({ title }) => (done && isTrafficOf(title, done.id)) || stems.some((stem) => title.startsWith(`${stem}.`)),
    ),
    ...(done?.findings && { findings: done.findings }),
  }
}

function imagesFor(done: ReadStep | undefined, run: ReadAgentRun | undefined): ReportedStep['images'] {
  if (done === undefined || run === undefined) return []
  const cited = [done.result, ...(done.result?.checks ?? [])].flatMap((said) => said?.evidence ?? [])
  const citedNames = cited.flatMap((each) => (typeof each === 'string' ? [posix.normalize(each)] : []))
  const names = new Set([...(done.verdict?.images ?? []), ...citedNames])
  const isNamedLikeIt = (name: string): boolean => name.startsWith(done.id) && /^[.-]/.test(name.slice(done.id.length))
  return run.run.images.filter(({ name }) => names.has(name) || isNamedLikeIt(name))
}

function checksOf(step: Step | undefined, done: ReadStep | undefined): ReportedStep['checks'] {
  const said = done?.result?.checks ?? []
  return (step?.checks ?? []).map(({ n, line, text }) => {
    const ofCheck =
      said.find((check, index) => (check.n ?? (check.line === undefined ? index + 1 : undefined)) === n) ??
      said.find((check) => check.n === undefined && check.line === line)
    return { ...ofCheck, n, text, line }
  })
}

function placeSteps(steps: readonly EndedStep[], spec: Spec | undefined): readonly (PlacedStep | undefined)[] {
  const places = (spec?.scenarios ?? []).flatMap(placedSteps)
  // Usually each step has one test, in the same order. If the numbers differ, compare titles.
  if (places.length === steps.length) return places
  const nameOf = ({ titles }: Pick<PlacedStep, 'titles'>): string => titles.join('\n')
  const byTitles = new Map(places.map((place) => [nameOf(place), place]))
  return steps.map((step) => byTitles.get(nameOf(step)))
}
