import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { messageOf } from '../system/error-facts.ts'

export interface Mail {
  readonly from: string
  readonly subject: string
  readonly text: string
  /** URLs of web pages, in the form that browsers use. */
  readonly links: readonly string[]
  readonly codes: readonly string[]
}

interface Wanted {
  readonly to: string
  /** The subject must contain this text. Upper and lower case are equal. */
  readonly subject?: string | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const lookEveryMs = 250
/** The mail server's clock may be this much behind the clock of this machine. */
const skewMs = 2_000

const texts = z.string().catch('')
const mailDevMails = z.array(
  z.object({
    id: z.string(),
    time: texts,
    subject: texts,
    text: texts,
    html: texts,
    from: z.array(z.object({ address: texts })).catch([]),
    envelope: z.object({ to: z.array(z.object({ address: texts })) }),
  }),
)
const mailpitFound = z.object({ messages: z.array(z.object({ ID: z.string(), Created: texts })) })
const mailpitMail = z.object({
  From: z.object({ Address: texts }).catch({ Address: '' }),
  Subject: texts,
  Text: texts,
  HTML: texts,
})

type Arrived = Readonly<Record<'id' | 'time' | 'from' | 'subject' | 'text' | 'html', string>>

/** A mailbox of MailDev or Mailpit. The first request finds out which of the two it is. Each mail is returned once. */
export class Mailbox {
  readonly #url: string | undefined
  readonly #sinceMs = performance.timeOrigin + performance.now() - skewMs
  readonly #given = new Set<string>()
  #isMailpit: boolean | undefined

  constructor(url: string | undefined) {
    this.#url = url?.replace(/\/+$/, '')
  }

  newAddress(): string {
    return `mdtest-${randomUUID().slice(0, 13)}@example.test`
  }

  /** The oldest new mail that matches; `undefined` if none comes in time. @throws Error if no mailbox answers */
  async wait({ to, subject = '', timeoutMs, signal }: Wanted): Promise<Mail | undefined> {
    const endMs = performance.now() + timeoutMs
    for (;;) {
      const arrived = await this.#list(to, signal)
      const found = arrived
        .toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time))
        .find((mail) => mail.subject.toLowerCase().includes(subject.toLowerCase()))
      if (found !== undefined) {
        this.#given.add(found.id)
        return mailOf(found)
      }
      if (performance.now() >= endMs) return undefined
      await sleep(lookEveryMs, undefined, { signal })
    }
  }

  /** Mails to an address that came after the start and were not returned before. */
  async #list(to: string, signal: AbortSignal | undefined): Promise<readonly Arrived[]> {
    const isNew = (id: string, time: string): boolean => !this.#given.has(id) && Date.parse(time) >= this.#sinceMs
    this.#isMailpit ??= (await this.#get('/api/v1/info', signal)) !== undefined
    if (!this.#isMailpit)
      return mailDevMails
        .parse(await this.#get('/email', signal))
        .filter(({ id, time }) => isNew(id, time))
        .filter(({ envelope }) => envelope.to.some(({ address }) => address.toLowerCase() === to.toLowerCase()))
        .map(({ from: [sender], ...mail }) => ({ ...mail, from: sender?.address ?? '' }))
    const query = new URLSearchParams({ query: `to:"${to}"` })
    const { messages } = mailpitFound.parse(await this.#get(`/api/v1/search?${query}`, signal))
    const fresh = messages.filter(({ ID, Created }) => isNew(ID, Created))
    return Promise.all(
      fresh.map(async ({ ID: id, Created: time }) => {
        const { From, Subject, Text, HTML } = mailpitMail.parse(await this.#get(`/api/v1/message/${id}`, signal))
        return { id, time, from: From.Address, subject: Subject, text: Text, html: HTML }
      }),
    )
  }

  async #get(path: string, signal: AbortSignal | undefined): Promise<unknown> {
    if (this.#url === undefined)
      throw new Error('There is no mailbox: name it with `mailbox` in the front matter or the option `mailbox`.')
    const response = await fetch(this.#url + path, signal ? { signal } : {}).catch((error: unknown) => {
      throw new Error(`The mailbox at ${this.#url} cannot be read: ${messageOf(error)}`, { cause: error })
    })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`The mailbox at ${this.#url} answers ${response.status}.`)
    return response.json()
  }
}

function mailOf({ from, subject, text, html }: Arrived): Mail {
  const hrefs = [...html.matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(([, double, single = '']) =>
    unescapeHtml(double ?? single),
  )
  const written = text.match(/\bhttps?:\/\/[^\s<>"')\]]+/gi) ?? []
  const links = [...hrefs, ...written].filter((link) => /^https?:/i.test(link) && URL.canParse(link))
  const shown = text.trim() === '' ? unescapeHtml(html.replace(/<(style|script)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')) : text
  const codes = shown.replaceAll(/\bhttps?:\/\/\S+/gi, ' ').match(/(?<![\w.,-])\d{4,8}(?![\w-]|[.,]\d)/g) ?? []
  return {
    ...{ from, subject, text: shown.trim() },
    links: [...new Set(links.map((link) => new URL(link).href))],
    codes: [...new Set(codes)],
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

function unescapeHtml(html: string): string {
  return html.replace(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole)
}
