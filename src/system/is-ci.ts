/** Whether a service runs this: they set `CI` to `true` or `1`; some shells carry `false`. */
export function isCi({ CI = '' }: NodeJS.ProcessEnv): boolean {
  return !['', '0', 'false'].includes(CI.toLowerCase())
}
