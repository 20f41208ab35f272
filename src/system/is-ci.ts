/** CI services set `CI` to `true` or `1`; some users set it to `false`. */
export function isCi({ CI = '' }: NodeJS.ProcessEnv): boolean {
  return !['', '0', 'false'].includes(CI.toLowerCase())
}
