import { describesOf, type Group, type Scenario, type Spec, type Step } from '../../spec/spec.ts'
import { posix } from 'node:path'
import { pathIn } from '../../system/files/paths.ts'
import { withFiles, type EndedSpec, type EndedStep } from './ended-spec.ts'
import { withoutFrontMatterCredentials } from '../../spec/browser/credentials.ts'
import type { KeptFiles } from '../folder/kept-files.ts'
import { readAgentRun, type ReadAgentRun } from './read-agent-run.ts'
import { isTrafficOf } from './read-browser-run.ts'
import type { ReportedStep, SpecRecord } from './spec-record.ts'

/** Puts together all that is known of a spec; files of its runs are copied. Never throws for what is missing. */
export async function recordSpec(ended: EndedSpec, kept: KeptFiles): Promise<SpecRecord> {
  const { file, root, project, baseUrl, startedAt, endedAt, durationMs, outcome, parsed } = ended
  const places = placeSteps(ended.steps, parsed)
  const runs = await readRuns(ended, { places, kept })
  const pathOf = (path: string): string => pathIn(root, path)
  const spec = pathOf(file)
  const steps = withAnchors(
    ended.steps.map((step, index) => recordStep(step, { place: places[index], runs, pathOf })),
    places,
  )
  const shown = new Set(steps.flatMap(({ images, files }) => [...images, ...files]).map(({ path }) => path))
  return {
    spec,
    ...(project !== undefined && { project }),
    title: titleOf(parsed) ?? spec,
    ...scenariosIn(parsed),
    ...(baseUrl !== undefined && { baseUrl: withoutCredentials(baseUrl) }),
    startedAt,
    endedAt,
    durationMs,
    outcome,
    sources: [
      ...(ended.text === undefined ? [] : [{ text: withoutFrontMatterCredentials(ended.text) }]),
      ...[...ended.included].map(([path, text]) => ({ file: pathOf(path), text })),
    ],
    problems: [...ended.problems],
    steps,
    runs: [...runs.values()].map(({ run }) => ({
      ...run,
      images: run.images.filter(({ path }) => !shown.has(path)),
      files: run.files.filter(({ path }) => path === undefined || !shown.has(path)),
    })),
  }
}

/** The name of a spec; nothing for that of the first of several scenarios. */
function titleOf(parsed: EndedSpec['parsed']): string | undefined {
  const isOfFirst = parsed !== undefined && parsed.scenarios.length > 1 && parsed.scenarios[0]?.title === parsed.title
  return isOfFirst && parsed.frontMatter.title === undefined ? undefined : parsed?.title
}

function scenariosIn(parsed: EndedSpec['parsed']): Pick<SpecRecord, 'scenarios'> {
  if (parsed === undefined || parsed.scenarios.length < 2) return {}
  return { scenarios: parsed.scenarios.map(({ ordinal, title, line }) => ({ ordinal, title, line })) }
}

function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return ''
  const url = new URL(address)
  if (url.username === '' && url.password === '') return address
  url.username = ''
  url.password = ''
  return url.href
}

/** By the path of the result log: steps of a scenario name that of the attempt that counted for them. */
async function readRuns(
  { file, steps, parsed }: EndedSpec,
  { places, kept }: { readonly places: readonly (StepPlace | undefined)[]; readonly kept: KeptFiles },
): Promise<ReadonlyMap<string, ReadAgentRun>> {
  const runs = new Map<string, ReadAgentRun>()
  for (const [index, { logFile, titles }] of steps.entries()) {
    if (logFile === undefined || runs.has(logFile)) continue
    const ended = steps.filter((step) => step.logFile === logFile)
    const title = titles[0] ?? parsed?.title ?? ''
    const ordinal = places[index]?.scenario.ordinal
    const place = { title, ...(ordinal !== undefined && { ordinal }) }
    runs.set(logFile, await readAgentRun({ specFile: file, logFile, ...place, ended, kept }))
  }
  return runs
}

interface StepContext {
  readonly place: StepPlace | undefined
  readonly runs: ReadonlyMap<string, ReadAgentRun>
  /** The path of a file relative to the root. */
  pathOf(file: string): string
}

type Unanchored = Omit<ReportedStep, 'anchor'>

function recordStep(ended: EndedStep, { place, runs, pathOf }: StepContext): Unanchored {
  const step = place?.step
  const run = runs.get(ended.logFile ?? '')
  const done = run?.steps.find(({ id }) => id === step?.id)
  const images = imagesFor(done, run)
  return {
    ...withFiles(ended, pathOf),
    ...(step && { line: step.line }),
    ...(step?.file !== undefined && { file: pathOf(step.file) }),
    ...(done?.result && { said: done.result }),
    checks: checksOf(step, { done, pathOf }),
    calls: done?.calls ?? [],
    images,
    files: filesFor(done, { images, run }),
    ...(done?.findings && { findings: done.findings }),
  }
}

/** Those that were made for it, that it or one of its checks cites, and those that are named like it. */
function imagesFor(
  done: ReadAgentRun['steps'][number] | undefined,
  run: ReadAgentRun | undefined,
): ReportedStep['images'] {
  if (done === undefined || run === undefined) return []
  const cited = [done.result, ...(done.result?.checks ?? [])].flatMap((said) => said?.evidence ?? [])
  const citedNames = cited.flatMap((each) => (typeof each === 'string' ? [posix.normalize(each)] : []))
  const names = new Set([...(done.verdict?.images ?? []), ...citedNames])
  return run.run.images.filter(({ name }) => names.has(name) || /^[.-]/.test(afterPrefix(name, done.id)))
}

/** Console and network of the page, and what is named like a picture: `1-pay.jpg` and `1-pay.console.txt`. */
function filesFor(
  done: ReadAgentRun['steps'][number] | undefined,
  { images, run }: { readonly images: ReportedStep['images']; readonly run: ReadAgentRun | undefined },
): ReportedStep['files'] {
  const stems = images.map(({ name }) => name.replace(/\.[^./]*$/, ''))
  return (run?.run.files ?? []).filter(
    ({ title }) => (done && isTrafficOf(title, done.id)) || stems.some((stem) => title.startsWith(`${stem}.`)),
  )
}

function afterPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : ''
}

function checksOf(
  step: StepPlace['step'] | undefined,
  { done, pathOf }: { readonly done: ReadAgentRun['steps'][number] | undefined } & Pick<StepContext, 'pathOf'>,
): ReportedStep['checks'] {
  const said = done?.result?.checks ?? []
  return (step?.checks ?? []).map(({ n, line, text, file = step?.file }) => {
    const ofCheck =
      said.find((check, index) => (check.n ?? (check.line === undefined ? index + 1 : undefined)) === n) ??
      said.find((check) => check.n === undefined && check.line === line)
    return { ...ofCheck, n, text, line, ...(file !== undefined && { file: pathOf(file) }) }
  })
}

/** `2-pay`, and `2/1-pay` in the second scenario, because ids count anew in each. */
function withAnchors(steps: readonly Unanchored[], places: readonly (StepPlace | undefined)[]): ReportedStep[] {
  return steps.map((step, index) => {
    const place = places[index]
    const ordinal = place?.scenario.ordinal ?? 1
    const id = place?.step.id ?? `step-${index + 1}`
    return { anchor: ordinal === 1 ? id : `${ordinal}/${id}`, ...step }
  })
}

/** A step of a spec, and where it stands. */
interface StepPlace {
  readonly scenario: Scenario
  readonly step: Step
  /** Titles of the headings above it, that of its scenario first, and its own. */
  readonly titles: readonly string[]
}

/** All steps of a spec, in order. */
function placesIn({ scenarios }: Spec): readonly StepPlace[] {
  return scenarios.flatMap((scenario) => placesBelow(scenario, describesOf(scenario), scenario))
}

/** Where each ended step stands; nothing for one that the spec does not have: it was changed meanwhile. */
function placeSteps(steps: readonly EndedStep[], spec: Spec | undefined): readonly (StepPlace | undefined)[] {
  const places = spec === undefined ? [] : placesIn(spec)
  // One test for each step, in order. Titles alone may be written in another way.
  if (places.length === steps.length) return places
  const byTitles = new Map(places.map((place) => [nameOf(place), place]))
  return steps.map((step) => byTitles.get(nameOf(step)))
}

function placesBelow(
  parent: { readonly children: readonly (Group | Step)[] },
  above: readonly string[],
  scenario: Scenario,
): readonly StepPlace[] {
  return parent.children.flatMap((child) => {
    const titles = [...above, child.title]
    return child.kind === 'step' ? [{ scenario, step: child, titles }] : placesBelow(child, titles, scenario)
  })
}

function nameOf({ titles }: { readonly titles: readonly string[] }): string {
  return titles.join('\n')
}
