import { formatCost } from '../../records/agent-usage.ts'
import { plural } from '../../system/text/format-amounts.ts'
import { markup, type Html, inlineCode } from '../render/html.ts'
import { formatTime } from '../render/outcome-words.ts'
import { renderAttempt } from './render-attempt.ts'
import { renderFailures } from './render-failure.ts'
import { renderFiles } from '../render/render-evidence.ts'
import type { Chapter, SessionRecord, ToldTests } from './session-record.ts'

/** A session for a reader who knows nothing of it: first its result and what to do, then what was done. */
export function renderSession(record: SessionRecord): Html {
  const { failing, next, resume, notes } = record
  return markup`<div class="document">
    ${renderEnd(record)}
    ${section('What still fails', failing.length === 0 ? undefined : renderFailures(failing))}
    ${section('What to look at next', next.length === 0 ? undefined : list(next))}
    ${section('How to go on', resume === undefined ? undefined : command(resume))}
    ${section('What has changed', renderChanges(record))}
    ${section('What was done', renderChapters(record))}
    ${notes.map((note) => markup`<p class="note">${note}</p>`)}
  </div>
  ${renderFacts(record)}`
}

function renderEnd({ reason }: SessionRecord): Html {
  const told = reason ?? 'It has not come to its end: it is still worked on, or it was interrupted.'
  return markup`<p class="end">${inlineCode(told.trim())}</p>`
}

function section(title: string, content: Html | undefined): Html | undefined {
  return content && markup`<h3>${title}</h3>${content}`
}

function list(items: readonly string[]): Html {
  return markup`<ul>${items.map((item) => markup`<li>${inlineCode(item)}</li>`)}</ul>`
}

function command(text: string): Html {
  return markup`<pre tabindex="0"><code>${text}</code></pre>`
}

/** The files of what was kept, and how to see the changes. */
function renderChanges({ chapters, firstCheckpoint, branch }: SessionRecord): Html | undefined {
  const kept = chapters.flatMap((each) => (each.kind === 'attempt' && each.fate === 'kept' ? each.changedFiles : []))
  if (kept.length === 0) return undefined
  const files = [...new Set(kept)].toSorted().map((file) => markup`<code>${file}</code> `)
  const isInGit = firstCheckpoint?.startsWith('refs/')
  return markup`<p>${files}${branch === undefined ? undefined : markup`on the branch <code>${branch}</code>`}</p>
    ${isInGit ? command(['git diff', firstCheckpoint, branch].filter((part) => part !== undefined).join(' ')) : undefined}`
}

function renderChapters(record: SessionRecord): Html | undefined {
  const shown = record.chapters.flatMap((each, index) => renderChapter(each, { record, index }) ?? [])
  return shown.length === 0 ? undefined : markup`${shown}`
}

const freshStarts = { stuck: 'no progress was made', context: "the model's window was filling up" } as const // by reasons

interface ChapterContext {
  readonly record: SessionRecord
  /** Its place in the record. */
  readonly index: number
}

function renderChapter(chapter: Chapter, { record, index }: ChapterContext): Html | undefined {
  switch (chapter.kind) {
    case 'attempt':
      return renderAttempt(chapter, record)
    case 'tests':
      return renderTests(chapter, index === 0 ? 'Before any attempt' : 'Before more attempts')
    case 'summary':
      return markup`<details class="chapter">
        <summary>It was summed up, because ${freshStarts[chapter.reason]}</summary>
        <pre tabindex="0">${chapter.text}</pre>
      </details>`
    case 'session':
      return markup`<p class="chapter lead">Session ${chapter.session} of the agent begins, because ${freshStarts[chapter.reason]}.</p>`
    case 'resumed':
      return markup`<p class="chapter lead">Somebody went on with it from here.</p>`
    case 'broke':
      // Then it stands above everything.
      if (chapter.message === record.reason) return undefined
      return markup`<div class="reason problem chapter"><p>It could not go on</p><pre tabindex="0">${chapter.message}</pre></div>`
    default:
      return chapter satisfies never
  }
}

/** How it was before any attempt; an attempt tells what it has made of that. */
function renderTests({ total, failing, others, blocked, flaky, files }: ToldTests, title: string): Html {
  const parts = [
    `${failing.length} of ${plural(total, 'test')} failed`,
    ...(others === 0 ? [] : [`${others} outside of the scope`]),
    ...(blocked.length === 0 ? [] : [`${blocked.length} could not be tried`]),
    ...(flaky.length === 0 ? [] : [`${flaky.length} failed once and passed then`]),
  ]
  const names = [...blocked.map((name) => `could not be tried: ${name}`), ...flaky.map((name) => `flaky: ${name}`)]
  return markup`<details class="chapter">
    <summary>${title}: ${parts.join(', ')}</summary>
    ${renderFailures(failing)}
    ${names.map((name) => markup`<p class="note">${name}</p>`)}
    ${renderFiles(files)}
  </details>`
}

function renderFacts(record: SessionRecord): Html {
  const { id, agent, runner, scope, startedAt, durationMs, costUsd, firstCheckpoint, halt, files } = record
  const { callsWithoutCost: untold = 0 } = record
  const facts = [
    markup`<time datetime="${startedAt}">${startedAt.slice(0, 19).replace('T', ' ')} UTC</time>`,
    ...[`agent ${agent}`, `tests by ${runner ?? 'a script'}`, ...(scope === null ? [] : [`scope ${scope}`])],
    formatTime(durationMs),
    costUsd === undefined ? 'no cost was told' : formatCost(costUsd),
    ...(costUsd !== undefined && untold > 0 ? [`cost of ${untold} calls not known in full`] : []),
  ]
  return markup`<section class="run">
    <p class="lead"><b>${id}</b>${facts.map((fact) => markup` <span>${fact}</span>`)}</p>
    ${
      firstCheckpoint === undefined
        ? undefined
        : markup`<p>The files before the first attempt: <code>${firstCheckpoint}</code></p>`
    }
    ${
      halt === undefined
        ? undefined
        : markup`<details>
            <summary>The text of the halt</summary>
            <pre tabindex="0">${halt}</pre>
          </details>`
    }
    ${renderFiles(files)}
  </section>`
}
