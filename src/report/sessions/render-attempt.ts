import { markup, type Html } from '../html.ts'
import { formatTime } from '../outcome-words.ts'
import { inlineCode } from './inline-code.ts'
import { renderFailure, renderTestName } from './render-failure.ts'
import { renderFiles } from '../render-files.ts'
import type { ComparedTest, SessionRecord, ToldAttempt } from './session-record.ts'
import { attemptAnchor, attemptOutcome } from './session-words.ts'

/** An attempt: what became of it, what the agent says, what it changed, what that made of the tests, what was asked. */
export function renderAttempt(attempt: ToldAttempt, { id }: Pick<SessionRecord, 'id'>): Html {
  const { verdict, summary, rootCause, prompt, tests, flaky, files } = attempt
  const anchor = attemptAnchor(attempt)
  const { outcome } = attemptOutcome(attempt)
  return markup`<section class="step ${outcome}" data-step="${anchor}" tabindex="-1">
    <h4>Attempt ${attempt.attempt} ${renderAttemptFacts(attempt, `${encodeURIComponent(id)}/${anchor}`)}</h4>
    <p>${inlineCode(verdict)}</p>
    <div class="result">
      <p class="said"><b>Agent</b> ${summary}</p>
      ${rootCause === undefined ? undefined : markup`<p class="said"><b>Cause</b> ${rootCause}</p>`}
      ${renderChangedFiles(attempt)} ${renderTests(tests)}
      ${flaky.map((name) => markup`<p class="note">Failed once and passed when it ran again: <code>${name}</code></p>`)}
      ${
        prompt === undefined
          ? undefined
          : markup`<details>
              <summary>What was asked (written by a ${prompt.writtenBy})</summary>
              <pre tabindex="0">${prompt.text}</pre>
            </details>`
      }
      ${renderFiles(files)}
    </div>
  </section>`
}

const outcomeWords = {
  done: undefined,
  'no-change': 'nothing changed',
  waiting: 'had to wait',
  'broke-off': 'the agent broke off',
} as const // by outcomes

function renderAttemptFacts(attempt: ToldAttempt, address: string): Html {
  const { session, outcome, durationMs, failingBefore, failingAfter } = attempt
  const told = attemptOutcome(attempt)
  const counts =
    failingBefore === undefined || failingAfter === undefined ? [] : [`${failingBefore} → ${failingAfter} failing`]
  const facts = [
    ...counts,
    ...(outcomeWords[outcome] === undefined ? [] : [outcomeWords[outcome]]),
    ...(session > 1 ? [`session ${session}`] : []),
    ...(durationMs === undefined ? [] : [formatTime(durationMs)]),
  ]
  return markup`<span class="facts"><span class="label ${told.outcome}">${told.word}</span>${facts.map(
    (fact) => markup` <span>${fact}</span>`,
  )} <a class="here" href="#${address}" aria-label="Link to this attempt">#</a></span>`
}

function renderChangedFiles({ changedFiles, protectedFiles }: ToldAttempt): Html {
  const forbidden = new Set(protectedFiles)
  const files = changedFiles.map((file) => {
    const note = forbidden.has(file) ? markup` <span class="note bad">protected</span>` : undefined
    return markup`<code>${file}</code>${note} `
  })
  return markup`<p class="cited"><b>Files</b> ${files.length === 0 ? 'none' : files}</p>`
}

function renderTests(tests: readonly ComparedTest[]): Html | undefined {
  if (tests.length === 0) return undefined
  return markup`<ul class="checks">${tests.map((test) => markup`<li>${renderTest(test)}</li>`)}</ul>`
}

/** What is new is told at once, what is known is folded. */
function renderTest({ change, key, before, after, isOutside }: ComparedTest): Html {
  const name = markup`${renderTestName(after ?? before ?? { key, name: key })}${isOutside ? markup` <span class="note">outside of the scope</span>` : undefined}`
  switch (change) {
    case 'new':
      return markup`<span class="label fail">fails now</span> ${name}${after && renderFailure(after)}`
    case 'fixed':
      return markup`<span class="label pass">passes now</span> ${name}${before && folded('how it failed', renderFailure(before))}`
    case 'still': {
      const isSame = before?.message === after?.message && before?.received === after?.received
      const failure = after && renderFailure(after, before)
      return markup`<span class="label fail">still fails</span> ${name}${isSame && failure ? folded('as before', failure) : failure}`
    }
    default:
      return change satisfies never
  }
}

function folded(title: string, content: Html): Html {
  return markup`<details><summary>${title}</summary>${content}</details>`
}
