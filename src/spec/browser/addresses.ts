/**
 * Where an address of a browser block leads: `/cart` is below the base URL, whatever path that has; one with a protocol
 * is what it is.
 *
 * @returns undefined where it is none, needs a base URL that is not there, or is no page of the web
 */
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

/** The address of a page as a browser block writes it: without the base URL where it is below it. */
export function shortAddress(url: string, baseUrl: string | undefined): string {
  const base = baseUrl?.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  if (base === undefined || !url.startsWith(base)) return url
  const rest = url.slice(base.length)
  if (rest === '') return '/'
  // What is behind the slash must not be taken for a host.
  return rest.startsWith('/') && !rest.startsWith('//')
    ? rest
    : rest.startsWith('?') || rest.startsWith('#')
      ? `/${rest}`
      : url
}
