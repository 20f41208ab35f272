import { drivesBrowser, reportsSteps } from '../agents/registry.ts'
import { lstatSync, realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { ownCommand } from '../system/mdtest-package.ts'
import { parseRecording } from '../spec/recording/parse-recording.ts'
import { keysOf, keysVersion } from '../spec/recording/step-keys.ts'
import { isOwnRecording, otherKeysAre, recordingFileOf, whyShared } from '../spec/recording/recording.ts'
import type { Recording } from '../spec/recording/recording.ts'
import type { ReadIncluded } from '../spec/front-matter/read-includes.ts'
import { planReplay, replaysOf } from './recordings/replay.ts'
import { hashBytes } from '../host/guard/file-state.ts'
import { repeatsIn, resolveSpecSettings, type SpecSettings } from './options/spec-settings.ts'
import { blocksBetweenProse, type ScenarioProblem } from '../spec/sections/blocks-between-prose.ts'
import { hideIn } from '../spec/markdown/hidden-text.ts'
import { parseMarkdown } from '../spec/markdown/parse-markdown.ts'
import { advance, top } from '../spec/markdown/positions-and-placeholders.ts'
import { orderProblems } from '../spec/problems.ts'
import { type ParsedSpec, type SpecProblem, lineOf, type Scenario, type StepReplay } from '../spec/spec.ts'
import type { Plan } from './plan.ts'
import type { SpecsConfig } from './specs-config.ts'
import { agentStepsOf } from '../scenario/plan-blocks.ts'
import { readLogins } from './read-logins.ts'
import { readIncludedIn, readSpec } from './read-spec.ts'
import { isTaken } from '../system/files/paths.ts'
import { isTextSpec } from '../system/spec-endings.ts'
import { unixText } from '../system/text/plain-text.ts'
import { quoteWord } from '../system/text/shell-and-regex-quotes.ts'

export type PlannedSpec = (
  | {
      readonly ok: true
      readonly plan: Plan
      /** State of the recording of each step, by step id. Absent if no recording was read. */
      replaysOf?(scenario: Scenario): ReadonlyMap<string, StepReplay>
    }
  | { readonly ok: false; readonly problems: readonly SpecProblem[] }
) &
  Pick<ParsedSpec, 'included'> & {
    /** Absolute paths of files that could not be read: included files, recording and logins. */
    readonly missing: readonly string[]
    /** Absolute path, whether the file exists or not. */
    readonly recordingFile: string
  }

interface PlanInput extends Pick<SpecsConfig, 'options' | 'commandLine' | 'record'> {
  readonly file: string
  readonly root: string
  /** Texts that replace the contents of included files, by absolute path. */
  readonly texts?: ReadonlyMap<string, string>
}

export function planSpec(source: string | Uint8Array, input: PlanInput): PlannedSpec {
  const { file, root, options, commandLine, texts, record } = input
  const readOnDisk = readIncludedIn(root)
  const read: ReadIncluded = (path) => texts?.get(path) ?? readOnDisk(path)
  const { spec, problems, included, unread } = readSpec(source, {
    file,
    root,
    options,
    commandLine,
    readIncluded: read,
  })
  const hasReports = reportsSteps(spec.agent)
  const unreported = spec.scenarios.flatMap((scenario) => [
    ...blocksBetweenProse(scenario, { hasReports }),
    ...(hasReports ? [] : limitsWithoutReports(scenario)),
  ])
  const settings = resolveSpecSettings(spec, options, commandLine)
  // Vite loads the target of a link, so the recording is beside the target.
  const loaded = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(file) : file
  const recordingFile = recordingFileOf(loaded)
  const recorded = settings.replay === 'off' ? {} : readRecording(loaded, read, input)
  const logins = readLogins(spec, root)
  const sourceText = Buffer.from(source).toString('utf8')
  const missing = [...unread.keys(), ...(recorded.missing ?? []), ...logins.missing]
  const all = new Map([...included, ...(recorded.texts ?? []), ...logins.texts])
  const found = [
    ...problems,
    ...unreported.map((problem) => ({ file, ...problem })),
    ...(recorded.problems ?? []),
    ...logins.problems,
    ...(spec.agent === 'none' ? [] : unknownSecrets([[file, sourceText], ...included, ...logins.texts], settings)),
  ]
  if (found.length > 0)
    return { ok: false, problems: orderProblems(found, file), included: all, missing, recordingFile }
  const sources = [[file, source] as const, ...all] // pairs, not lists
  const hashes = Object.fromEntries(sources.map(([path, text]) => [path, hashBytes(text)]))
  const fileText = (path: string): string => unixText(path === file ? sourceText : (included.get(path) ?? ''))
  const keysIn = (scenario: Scenario): ReadonlyMap<string, string> => keysOf(spec, scenario, fileText)
  const { recording } = recorded
  const replay =
    settings.replay === 'off' || (settings.replay === 'auto' && recording === undefined)
      ? undefined
      : planReplay(spec, {
          mode: settings.replay,
          recording: recording ?? { file: recordingFile, steps: [] },
          keysOf: keysIn,
          isRepeated: (scenario) => repeatsIn(scenario, settings).runs > 1,
        })
  const isReplayed = replay !== undefined && Object.keys({ ...replay.scenarios, ...replay.stale }).length > 0
  const mayRecord = settings.recordings || settings.reproduce !== false
  const allKeys = mayRecord ? spec.scenarios.map(keysIn) : []
  const current = new Set(allKeys.flatMap((keys) => [...keys.values()]))
  const plan: Plan = {
    spec,
    settings,
    hashes,
    ...(drivesBrowser(spec.agent) && { isSideBySide: true }),
    ...(isReplayed && { replay }),
    ...(mayRecord && {
      record: {
        keys: allKeys.map((keys) => Object.fromEntries(keys)),
        mayHaveObsolete: (recording?.steps ?? []).some(({ key }) => !current.has(key)),
        ...(record && { command: record }),
        known: [file, ...included.keys()].map(fileText).join('\n'),
      },
    }),
  }
  return {
    ok: true,
    included: all,
    missing,
    recordingFile,
    plan,
    ...(recording && {
      replaysOf: (scenario: Scenario) =>
        replaysOf(scenario, { scenarios: spec.scenarios, recording, keys: keysIn(scenario) }),
    }),
  }
}

interface ReadRecording {
  readonly recording?: Recording
  readonly problems?: readonly SpecProblem[]
  readonly texts?: ReadonlyMap<string, string>
  /** Path of a recording that does not exist yet, so that Vite can watch it. */
  readonly missing?: readonly string[]
}

function readRecording(specFile: string, read: ReadIncluded, { file: named, root, record }: PlanInput): ReadRecording {
  const file = recordingFileOf(specFile)
  if (!isTaken(file)) return { missing: [file] }
  const found = read(file)
  if (typeof found !== 'string' && 'problem' in found) {
    const message = `The recording cannot be read: ${found.problem}`
    return { problems: [{ file, ...top, ruleId: 'include-unreadable', message }], missing: [file] }
  }
  const text = Buffer.from(found).toString('utf8')
  // Ignore a user's own file that happens to have the name of a recording.
  if (text.trim() !== '' && !isOwnRecording(text)) return { missing: [file] }
  const texts = new Map([[file, text]])
  const parsed = parseRecording(found, file)
  const shared = whyShared(parsed.recording, specFile, isTaken)
  if (shared !== undefined) {
    return { problems: [{ file, ...top, ruleId: 'recording-of', message: `This recording is ${shared}` }], texts }
  }
  const { otherKeys } = parsed.recording
  if (otherKeys === undefined) return { recording: parsed.recording, problems: parsed.problems, texts }
  if (record === 'write') return { recording: { ...parsed.recording, steps: [] }, texts }
  const message = `${otherKeysAre} ${otherKeys}, and here they are of version ${keysVersion}: they cannot be compared, so nothing is replayed. Record the spec again: \`${ownCommand} record ${quoteWord(relative(root, named))}\`.`
  return { problems: [{ file, ...top, ruleId: 'recording-key', message }], texts }
}

function unknownSecrets(
  texts: readonly (readonly [file: string, text: string])[],
  { browser: { signIn } }: Pick<SpecSettings, 'browser'>,
): readonly SpecProblem[] {
  const known = new Set([...(signIn?.secrets ?? []), ...Object.keys(signIn?.totp ?? {})])
  return texts.flatMap(([file, text]) => {
    const parsed = parseMarkdown(text)
    const prose = isTextSpec(file) || !parsed.ok ? text : hideIn(text, parsed.root.children, { types: ['code'] })
    return [...prose.matchAll(/\{\{secret:([^}\s]*)\}\}/g)]
      .filter(([, name = '']) => !known.has(name))
      .map(({ index, 1: name }) => ({
        ...{ file, ...advance(top, text.slice(0, index)), ruleId: 'unknown-secret' },
        message: `There is no secret \`${name}\`. Add the variable to the option \`secrets\`, or name a one-time code, a key of \`totp\`.`,
      }))
  })
}

/** Reports `timeout` of a step if the agent sends no reports: mdtest cannot tell when such a step ends. */
function limitsWithoutReports(scenario: Scenario): readonly ScenarioProblem[] {
  const steps = agentStepsOf(scenario)
  if (steps.length < 2) return []
  return steps
    .filter(({ directives }) => directives.timeoutMs !== undefined)
    .map((step) => ({ ...lineOf(step), column: step.column, ruleId: 'needs-reports', message: needsReports }))
}

const needsReports =
  'This step has a `timeout`, but its agent does not report while it works, so mdtest cannot tell when the step begins and ends. Limit the scenario with `timeout` in the front matter, or use an agent that reports.'
