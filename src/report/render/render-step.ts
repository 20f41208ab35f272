import { markup, type Html } from './html.ts'
import { claimedLabel, formatTime, outcomeLabel, toneOf } from './outcome-words.ts'
import { renderCalls } from './render-calls.ts'
import { renderFiles } from './render-files.ts'
import { renderImages, renderSaid } from './render-said.ts'
import type { ReportedCheck, ReportedStep } from '../records/spec-record.ts'

/** What stands right behind the title of a step. */
export function renderStepFacts(step: ReportedStep, address: string): Html {
  const { outcome, assurance, durationMs, flaky, rate } = step
  const facts = [
    ...(outcome === 'pass' && assurance && assurance !== 'claimed' ? [assurance] : []),
    ...(rate ? [`${rate.passed} of ${rate.runs} runs, ${rate.required} required`] : []),
    ...(flaky ? ['flaky'] : []),
    ...(durationMs > 0 ? [formatTime(durationMs)] : []),
  ]
  const shown = facts.map((fact) => markup` <span>${fact}</span>`)
  const label = toneOf(outcome, assurance) === 'claimed' ? claimedLabel : outcomeLabel(outcome)
  const link = markup`<a class="here" href="#${address}" aria-label="Link to this step">#</a>`
  return markup`<span class="facts">${label}${shown} ${link}</span>`
}

/**
 * What became of a step: why, what the agent said and did.
 *
 * @param listed checks that are not marked in the text of the step
 */
export function renderStepResult(step: ReportedStep, listed: readonly ReportedCheck[]): Html | undefined {
  const { reasons, expected = [], said, calls, images, files } = step
  const parts = [
    ...reasons.map(renderReason),
    ...(expected.length > 0 ? [markup`<p class="lead">Failed as expected:</p>`, ...expected.map(renderReason)] : []),
    ...(said ? [renderSaid(said, { outcome: step.outcome, images })] : []),
    ...(listed.length > 0
      ? [
          markup`<ul class="checks">
            ${listed.map((check) => renderCheck(check, step))}
          </ul>`,
        ]
      : []),
    ...renderImages(images),
    ...(files.length > 0 ? [renderFiles(files)] : []),
    ...renderCalls(calls),
  ]
  return parts.length === 0 ? undefined : markup`<div class="result">${parts}</div>`
}

function renderCheck(check: ReportedCheck, { images }: ReportedStep): Html {
  const label =
    check.status === undefined ? markup`<span class="label">not reported</span>` : outcomeLabel(check.status)
  return markup`<li>${label} ${check.text}${renderSaid(check, { outcome: check.status, images })}</li>`
}

function renderReason({ code, message, line, file }: ReportedStep['reasons'][number]): Html {
  const place =
    line === undefined ? undefined : markup` <span class="place">${file ?? 'line'}${file ? ':' : ' '}${line}</span>`
  const [first = '', ...rest] = message.split('\n')
  const more = rest.length === 0 ? undefined : markup`<pre tabindex="0">${rest.map(renderLine)}</pre>`
  return markup`<div class="reason">
    <p><code>${code}</code>${place} ${first}</p>
    ${more}
  </div>`
}

/** Lines of a comparison begin with what became of them. */
function renderLine(line: string): Html {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : undefined
  return kind === undefined ? markup`${line}\n` : markup`<span class="${kind}">${line}</span>\n`
}
