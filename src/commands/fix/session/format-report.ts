import { describeLeftOut } from '../../attempt/changes/judge-changes.ts'
import { attemptsOf, type Attempt } from './attempts.ts'
import { formatFailure, type TestResults } from './test-results.ts'
import type { SessionState } from './session-state.ts'
import { plural } from '../../../system/text/wording.ts'

/** `artifacts/report.md`: what was done; where it did not succeed, also what a person needs to go on. Pure. */
export function formatReport(
  session: SessionState,
  { results, firstCheckpoint }: { readonly results: TestResults; readonly firstCheckpoint: string },
): string {
  const { feature, result, reason } = session
  const attempts = attemptsOf(session.history)
  const isOver = result === 'success'
  const failing = results.failing.length === 0 ? 'Nothing is known.' : results.failing.map(formatFailure).join('\n\n')
  const looks = [...nextSteps(session, results), ...wholeOutput(results)].map((step) => `- ${step}`).join('\n')
  return [
    `# ${feature}: ${result}`,
    reason ?? '',
    ...(isOver ? [] : [`## What still fails\n\n${failing}`]),
    `## What was tried\n\n${attempts.length === 0 ? 'Nothing.' : attempts.map(formatAttempt).join('\n\n')}`,
    ...(isOver ? [] : [`## What to look at next\n\n${looks}`]),
    ...(attempts.length === 0
      ? []
      : [
          `The files are as the last attempt that was kept left them. Before the first one they were: \`${firstCheckpoint}\`.`,
        ]),
    ...(isOver ? [] : [`## Go on\n\n    ${resumeCommand(session)}`]),
    '',
  ].join('\n\n')
}

function formatAttempt(made: Attempt): string {
  const { attempt, session, summary, changed_files: changedFiles, left_out: leftOut = [], verdict } = made
  const files = changedFiles.length === 0 ? 'none' : changedFiles.map((file) => `\`${file}\``).join(', ')
  const left = leftOut.length === 0 ? '' : ` Left out: ${describeLeftOut(leftOut)}.`
  return `### Attempt ${attempt} (session ${session})\n\n${summary}\n\nChanged files: ${files}.${left} ${verdict ?? ''}`.trimEnd()
}

/** What a person should look at, a sentence each. Pure. */
export function nextSteps({ history, result }: SessionState, results: TestResults): readonly string[] {
  const attempts = attemptsOf(history)
  const undone = history.flatMap((act) => (act.kind === 'rolled-back' ? [act] : []))
  const wanted = undone.filter(({ reason }) => reason === 'protected-files')
  const worse = undone.length - wanted.length
  const files = [...new Set(attempts.flatMap((attempt) => attempt.changed_files))]
  const left = attempts.flatMap(({ left_out: leftOut = [] }) => leftOut.map(({ path }) => path))
  const [first] = results.failing
  return [
    ...(result === 'error' ? ['What is said above has to be settled first: no attempt can.'] : []),
    ...(first === undefined ? [] : [`The first failure: ${place(first.file, first.line)}. Is what it expects right?`]),
    ...(wanted.length === 0
      ? []
      : [
          `${plural(wanted.length, 'attempt')} changed what may not be changed, ${codeList(wanted.flatMap(({ names }) => names))}: is it right as it is? \`--allow-test-edits\` permits that.`,
        ]),
    ...(left.length === 0
      ? []
      : [
          `Changes were left out, because these are not among the sources of the product: ${codeList(left)}. \`--may-change GLOB\` lets them count.`,
        ]),
    ...(worse === 0
      ? []
      : [`${plural(worse, 'attempt')} made it worse: do the tests ask for things that exclude each other?`]),
    ...(files.length === 0 ? [] : [`Files that attempts changed: ${codeList(files)}.`]),
    ...(results.blocked.length === 0
      ? []
      : [`${results.blocked.length} tests could not be tried: what do they need to start?`]),
  ]
}

function codeList(names: readonly string[]): string {
  const shown = [...new Set(names)].slice(0, 10)
  return shown.map((name) => `\`${name}\``).join(', ')
}

function wholeOutput({ summary_path: path }: TestResults): readonly string[] {
  return path === '' ? [] : [`The whole output of the last run: \`${path}\`.`]
}

function place(file: string | undefined, line: number | undefined): string {
  return file === undefined ? 'see above' : `\`${[file, line].filter((part) => part !== undefined).join(':')}\``
}

/** Goes on with a session; where it had reached a limit, with more. Pure. */
export function resumeCommand(session: SessionState): string {
  return ['npx vitest-mdtest fix --resume', session.session_id, ...raisedLimits(session)].join(' ')
}

function raisedLimits({ settings, state, elapsed_ms: elapsedMs, cost_usd: costUsd }: SessionState): readonly string[] {
  const { maxAttempts: attempts, maxMinutes: minutes, maxCostUsd: cost } = settings
  return [
    ...(state.previous_attempts >= attempts ? [`--max-attempts ${2 * attempts}`] : []),
    ...(minutes !== null && elapsedMs >= minutes * 60_000 ? [`--max-minutes ${2 * minutes}`] : []),
    ...(cost !== null && (costUsd ?? 0) >= cost ? [`--max-cost-usd ${2 * cost}`] : []),
  ]
}
