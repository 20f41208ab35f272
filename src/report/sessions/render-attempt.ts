import { markup, type Html, inlineCode } from '../render/html.ts'
import { formatTime } from '../render/outcome-words.ts'
import { renderFailure, renderTest, renderTestName } from './render-failure.ts'
import { renderFiles } from '../render/render-evidence.ts'
import type { ComparedTest, SessionRecord, ToldAttempt } from './session-record.ts'
import { attemptAnchor, attemptOutcome } from './session-summary.ts'

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
              <summary>What was asked (by a ${prompt.writtenBy})</summary>
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

function renderChangedFiles({ changedFiles, protectedFiles, leftOut = [] }: ToldAttempt): Html {
  const forbidden = new Set(protectedFiles)
  const files = changedFiles.map((file) => {
    const note = forbidden.has(file) ? markup` <span class="note bad">protected</span>` : undefined
    return markup`<code>${file}</code>${note} `
  })
  const left = leftOut.map(
    ({ path, reason }) => markup`<p class="cited"><b>Left out</b> <code>${path}</code> ${reason}</p>`,
  )
  return markup`<p class="cited"><b>Files</b> ${files.length === 0 ? 'none' : files}</p>${left}`
}

function renderTests(tests: readonly ComparedTest[]): Html | undefined {
  if (tests.length === 0) return undefined
  return markup`<ul class="checks">${tests.map((test) => markup`<li>${renderComparedTest(test)}</li>`)}</ul>`
}

const changeLabels = {
  fixed: { outcome: 'pass', word: 'passes now' },
  still: { outcome: 'fail', word: 'still fails' },
  new: { outcome: 'fail', word: 'fails now' },
} as const // by changes

/** What is new is told at once, what is known is folded. */
function renderComparedTest({ change, key, before, after, isOutside }: ComparedTest): Html {
  const { outcome, word } = changeLabels[change]
  const failure = after ?? before
  const outside = isOutside ? markup` <span class="note">outside of the scope</span>` : undefined
  const name = renderTestName(failure ?? { key, name: key })
  return renderTest({
    failure,
    title: markup`<span class="label ${outcome}">${word}</span> ${name}${outside}`,
    content: failure && renderFailure(failure, before),
    isOpen: after !== undefined && (after.message !== before?.message || after.received !== before.received),
  })
}
