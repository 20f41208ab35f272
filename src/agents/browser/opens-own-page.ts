/** What such an address shows is in the address. */
const ownProtocols = new Set(['data:', 'javascript:', 'blob:', 'view-source:', 'about:'])

/** Whether a call opens a page that its caller writes itself: it would show whatever they would like to quote. */
export function opensOwnPage(input: unknown): boolean {
  const url = typeof input === 'object' && input !== null && 'url' in input ? input.url : undefined
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, href } = new URL(url)
  return ownProtocols.has(protocol) && href !== 'about:blank'
}
