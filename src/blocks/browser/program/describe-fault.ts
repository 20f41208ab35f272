import { messageOf } from '../../../system/error-facts.ts'
import type { BrowserReply, BrowserRequest, FoundBy } from '../browser-protocol.ts'

type Fault = Extract<BrowserReply, { ok: false }>

/** Carries an answer through what was awaited. */
export class ReplyError extends Error {
  readonly reply: Fault

  constructor(message: string) {
    super(message)
    this.reply = { ok: false, what: 'page', message }
  }
}

/**
 * What Playwright's error means for the line of a block. Its log is left out: what was typed stands there.
 *
 * @param count how many controls like this are on the page
 */
export async function describeFault(
  error: unknown,
  request: BrowserRequest,
  count: (control: FoundBy) => Promise<number>,
): Promise<Fault> {
  const text = messageOf(error)
  const others = [...text.matchAll(/^\s+\d+\) .* aka (.+)$/gm)].map(([, found = '']) => `\`${found}\``)
  if (/strict mode violation/.test(text)) {
    return { ok: false, what: 'many', message: `Several controls fit: ${others.join(', ')}.` }
  }
  for (const control of controlsOf(request)) {
    if ((await count(control).catch(() => 1)) === 0)
      return { ok: false, what: 'control', message: 'There is no such control on the page.' }
  }
  const [, why = ''] =
    /^\s+- (.*(?:not (?:visible|enabled|stable|editable)|intercepts pointer events|did not find some options).*)$/m.exec(
      text,
    ) ?? []
  if (why !== '')
    return { ok: false, what: 'other', message: `The control is there and cannot be used: ${why.trim()}.` }
  const [first = ''] = text.replace(/^(?:\w+\.\w+: )?(?:Error: )?/, '').split('\n')
  return {
    ok: false,
    what: 'other',
    message: sentence(request.kind === 'goto' ? describeGoto(first, request.url) : first),
  }
}

function controlsOf(request: BrowserRequest): readonly FoundBy[] {
  if (request.kind === 'drag') return [request.control, request.to]
  const hasControl = request.kind === 'act' || (request.kind === 'press' && request.control !== undefined)
  return hasControl && request.control !== undefined ? [request.control] : []
}

function describeGoto(text: string, url: string): string {
  const why = /net::ERR_(\w+)/.exec(text)?.[1]?.toLowerCase().replaceAll('_', ' ')
  return `\`${url}\` cannot be opened: ${why ?? text}`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
