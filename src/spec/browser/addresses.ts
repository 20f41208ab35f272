/** Appends an address such as `/cart` to the base URL. Returns `undefined` if the result is no web address. */
export function resolveAddress(address: string, baseUrl: string | undefined): string | undefined {
  const whole = /^[a-z][a-z\d+.-]*:/i.test(address) ? address : join(address, baseUrl)
  if (whole === undefined || !URL.canParse(whole)) return undefined
  const { protocol, href } = new URL(whole)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

function join(address: string, baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined || address.startsWith('//')) return undefined
  const base = baseUrl.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  return `${base}/${address.replace(/^\//, '')}`
}

/** The address as browser blocks write it: a page below the base URL gets a path such as `/cart`. */
export function shortAddress(url: string, baseUrl: string | undefined): string {
  const base = baseUrl?.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  if (base === undefined || !url.startsWith(base)) return url
  const rest = url.slice(base.length)
  if (/^(?:$|[?#])/.test(rest)) return `/${rest}`
  // Do not shorten to `//name`, because `name` would be a host.
  return /^\/(?!\/)/.test(rest) ? rest : url
}
