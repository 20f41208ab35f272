import { createHash } from 'node:crypto'

type Json = Readonly<Record<string, unknown>>

/** As a rule of thumb for English and JSON. */
export const bytesPerToken = 4
/** Shorter beginnings are not kept, by any provider. */
const minBytes = 1024 * bytesPerToken
/** Anthropic looks so many blocks back from a mark. */
const lookBack = 20

/** What a provider keeps of earlier requests: the beginning of a request that it has seen costs less. */
export class PromptCache {
  readonly #whole: string[] = []
  readonly #marked = new Set<string>()

  /** How many bytes of this request were there already. Anthropic keeps what is marked, the others whatever comes first. */
  take(path: string, body: Json): number {
    return path.split('?')[0]?.endsWith('/messages') ? this.#takeMarked(body) : this.#takeWhole(body)
  }

  #takeWhole({ tools, instructions, systemInstruction, input, messages, contents, ...rest }: Json): number {
    const { model } = rest
    const text = JSON.stringify([model, tools, instructions, systemInstruction, input ?? messages ?? contents])
    const same = Math.max(0, ...this.#whole.map((earlier) => commonLength(earlier, text)))
    this.#whole.push(text)
    return same < minBytes ? 0 : same
  }

  #takeMarked({ tools, system, messages, cache_control: marksLast }: Json): number {
    const parts = [...blocks(tools), ...blocks(system), ...blocks(messages).flatMap(blocksOfMessage)]
    const marks = parts.flatMap(({ cache_control: mark }, index) => (mark === undefined ? [] : [index]))
    if (marksLast !== undefined && parts.length > 0) marks.push(parts.length - 1)
    const hash = createHash('sha256')
    let bytes = 0
    const beginnings = parts.map(({ cache_control: _mark, ...part }) => {
      const text = JSON.stringify(part)
      hash.update(text)
      bytes += Buffer.byteLength(text)
      return { key: hash.copy().digest('hex'), bytes }
    })
    const near = marks.flatMap((mark) => beginnings.slice(Math.max(0, mark - lookBack), mark + 1))
    const known = near.filter((one) => one.bytes >= minBytes && this.#marked.has(one.key))
    for (const mark of marks) this.#marked.add(beginnings[mark]?.key ?? '')
    return Math.max(0, ...known.map((one) => one.bytes))
  }
}

function blocksOfMessage({ role, content }: Json): readonly Json[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : blocks(content)
  return parts.map((part) => ({ role, ...part }))
}

function blocks(value: unknown): readonly Json[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  return Array.isArray(value) ? value : []
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}
