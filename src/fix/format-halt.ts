import { attemptsOf, type Attempt } from './attempts.ts'
import { formatFailure } from './implementer-prompt.ts'
import type { SessionState } from './session-state.ts'
import type { TestResults } from './test-results.ts'

/** `artifacts/halt.md`: what a person needs to go on. Pure. */
export function formatHalt(
  session: SessionState,
  { results, firstCheckpoint }: { readonly results: TestResults; readonly firstCheckpoint: string },
): string {
  const { feature, result, reason, session_id: id, settings } = session
  const attempts = attemptsOf(session.history)
  return [
    `# ${feature}: ${result}`,
    `${reason ?? ''}`,
    `## What still fails\n\n${results.failing.length === 0 ? 'Nothing is known.' : results.failing.map(formatFailure).join('\n\n')}`,
    `## What was tried\n\n${attempts.length === 0 ? 'Nothing.' : attempts.map(formatAttempt).join('\n\n')}`,
    `## What to look at next\n\n${nextSteps(attempts, results)
      .map((step) => `- ${step}`)
      .join('\n')}`,
    ...(attempts.length === 0
      ? []
      : [
          `The files are as the last attempt that was kept left them. Before the first one they were: \`${firstCheckpoint}\`.`,
        ]),
    `## Go on\n\n    ${resumeCommand(id, { result, maxAttempts: settings.max_attempts })}`,
    '',
  ].join('\n\n')
}

function formatAttempt({ attempt, session, summary, changed_files: changedFiles, verdict }: Attempt): string {
  const files = changedFiles.length === 0 ? 'none' : changedFiles.map((file) => `\`${file}\``).join(', ')
  return `### Attempt ${attempt} (session ${session})\n\n${summary}\n\nChanged files: ${files}. ${verdict ?? ''}`.trimEnd()
}

function nextSteps(attempts: readonly Attempt[], results: TestResults): readonly string[] {
  const undone = attempts.filter(({ verdict }) => verdict?.startsWith('It was undone'))
  const all = attempts.flatMap((attempt) => attempt.changed_files)
  const files = [...new Set(all.filter((file, index) => all.indexOf(file) < index))]
  const [first] = results.failing
  return [
    ...(first === undefined ? [] : [`The first failure: ${place(first.file, first.line)}. Is what it expects right?`]),
    ...(undone.length === 0
      ? []
      : [
          `${undone.length} of ${attempts.length} attempts were undone: do the tests ask for things that exclude each other?`,
        ]),
    ...(files.length === 0
      ? []
      : [
          `Files that were changed again and again: ${files
            .slice(0, 10)
            .map((file) => `\`${file}\``)
            .join(', ')}.`,
        ]),
    ...(results.blocked.length === 0
      ? []
      : [`${results.blocked.length} tests could not be tried: what do they need to start?`]),
    `The whole output of the last run: \`${results.summary_path}\`.`,
  ]
}

function place(file: string | undefined, line: number | undefined): string {
  return file === undefined ? 'see above' : `\`${[file, line].filter((part) => part !== undefined).join(':')}\``
}

function resumeCommand(
  id: string,
  { result, maxAttempts }: { readonly result: string | null; readonly maxAttempts: number },
): string {
  const more = result === 'incomplete' ? ` --max-attempts ${2 * maxAttempts}` : ''
  return `npx mdtest fix --resume ${id}${more}`
}
