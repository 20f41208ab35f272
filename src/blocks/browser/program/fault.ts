import { messageOf } from '../../../system/error-facts.ts'
import type { BrowserFault } from '../browser-protocol.ts'

export class Fault extends Error {
  readonly what: BrowserFault['what']

  constructor(what: BrowserFault['what'], message: string) {
    super(message)
    this.what = what
  }
}

/** Describes a Playwright error. Omits its log, which contains typed text. `count`: number of matching controls. */
export async function faultOf(
  error: unknown,
  { name, url, count }: { readonly name: string; readonly url: string; count?(): Promise<number> },
): Promise<Fault> {
  if (error instanceof Fault) return error
  const text = messageOf(error)
  if (/strict mode violation/.test(text)) {
    const others = [...text.matchAll(/^\s+\d+\) .* aka (.+)$/gm)].map(([, found = '']) => `\`${found}\``)
    return new Fault('many', `Several controls fit: ${others.join(', ')}.`)
  }
  if ((await count?.().catch(() => 1)) === 0) return new Fault('control', 'There is no such control on the page.')
  const [, hindrance = ''] =
    /^\s+- (.*(?:not (?:visible|enabled|stable|editable)|intercepts pointer events|did not find some options).*)$/m.exec(
      text,
    ) ?? []
  if (hindrance !== '') return new Fault('other', `The control is there and cannot be used: ${hindrance.trim()}.`)
  const [first = ''] = text.replace(/^(?:\w+\.\w+: )?(?:Error: )?/, '').split('\n')
  const why = /net::ERR_(\w+)/.exec(first)?.[1]?.toLowerCase().replaceAll('_', ' ') ?? first
  const message = name === 'goto' ? `\`${url}\` cannot be opened: ${why}` : first
  return new Fault('other', /[.!?]$/.test(message) ? message : `${message}.`)
}
