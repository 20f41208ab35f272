import type { BrowserCall } from '../../records/agent-call.ts'
import { quote } from '../../spec/browser/page-lines.ts'
import type { ReadAction } from './read-actions.ts'

/** Actions with which a replay gets an address or waits for a mail; `undefined` if the call does neither. */
export function readMail(
  { tool, input, output, isError }: BrowserCall,
  minted: Map<string, string>,
): readonly ReadAction[] | undefined {
  if (!/^(?:new_address|wait_for_mail)$/.test(tool)) return undefined
  if (isError) return []
  const mint = (name: string, value: string): void => void minted.set(value, `captures.get(${quote(name)})`)
  const next = (kind: string): string => {
    const count = [...minted.values()].filter((code) => new RegExp(`'${kind}\\d+['_]`).test(code))
    return `${kind}${new Set(count.map((code) => /\d+/.exec(code)?.[0])).size + 1}`
  }
  if (tool === 'new_address') {
    const name = next('address')
    mint(name, output.replace(/^### Result\n/, '').trim())
    const code = `captures.set(${quote(name)}, mailbox.newAddress());`
    return [{ code, method: 'newAddress', values: [] }]
  }
  const name = next('mail')
  const { address, subject } = input
  const [, links = ''] = /^Links:\n((?:- .*\n)+)/m.exec(output) ?? []
  const [, codes] = /^Codes: (.*)$/m.exec(output) ?? []
  const found = { link: links.match(/^- \S+/gm)?.map((line) => line.slice(2)) ?? [], code: codes?.split(', ') ?? [] }
  for (const [kind, values] of Object.entries(found))
    for (const [index, value] of values.entries()) mint(`${name}_${kind}${index + 1}`, value)
  const to = minted.get(String(address)) ?? quote(String(address))
  const title = typeof subject === 'string' ? `, ${quote(subject)}` : ''
  return [{ code: `await mailbox.wait(${quote(name)}, ${to}${title});`, method: 'wait', values: [] }]
}
