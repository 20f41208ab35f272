import { formatSpent } from '../../records/agent-usage.ts'
import { markup, type Html } from './html.ts'
import { formatTime } from './outcome-words.ts'
import { renderCalls } from './render-calls.ts'
import { renderFiles } from './render-files.ts'
import { renderImages } from './render-said.ts'
import type { AgentRun } from '../records/spec-record.ts'

/** What an agent did for a scenario apart from its steps: what it used, what it wrote, its files. */
export function renderRun(run: AgentRun): Html {
  const { scenario, agent = 'agent', startedAt, attempt = 1, narrative, otherCalls, notes, images, files } = run
  const facts = [
    ...(startedAt === undefined
      ? []
      : [markup`<time datetime="${startedAt}">${startedAt.slice(0, 19).replace('T', ' ')} UTC</time>`]),
    ...(attempt > 1 ? [markup`attempt ${attempt}`] : []),
    ...usedIn(run).map((fact) => markup`${fact}`),
  ]
  return markup`<section class="run">
    <p class="lead"><b>${agent}</b> on “${scenario}”${facts.map((fact) => markup` <span>${fact}</span>`)}</p>
    ${notes.map((note) => markup`<p class="note">${note}</p>`)}
    ${renderCalls(otherCalls, 'Tool calls outside of the steps')}
    ${
      narrative === ''
        ? undefined
        : markup`<details>
            <summary>What the agent wrote</summary>
            <pre tabindex="0">${narrative}</pre>
          </details>`
    }
    ${renderImages(images)} ${renderFiles(files)}
  </section>`
}

function usedIn({ usage }: AgentRun): readonly string[] {
  if (usage === undefined) return []
  const { model, turns, durationMs } = usage
  return [
    ...(model === undefined ? [] : [model]),
    formatSpent(usage),
    ...(turns === undefined ? [] : [`${turns} turns`]),
    formatTime(durationMs),
  ]
}
