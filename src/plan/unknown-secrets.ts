import { advance, top } from '../spec/markdown/places.ts'
import type { SpecProblem } from '../spec/spec.ts'
import type { SpecSettings } from './options/spec-settings.ts'

/** Reports each `{{secret:NAME}}` outside of fences whose name is neither in `secrets` nor a one-time code. */
export function unknownSecrets(
  texts: ReadonlyMap<string, string>,
  { browser: { signIn } }: Pick<SpecSettings, 'browser'>,
): readonly SpecProblem[] {
  const { secrets = [], totp = {} } = signIn ?? {}
  // Leave out secrets of one-time codes, because `type_secret` never types them.
  const seeds = new Set(Object.values(totp))
  const known = new Set([...secrets.filter((name) => !seeds.has(name)), ...Object.keys(totp)])
  return [...texts].flatMap(([file, text]) =>
    [...text.replace(fences, blanked).matchAll(/\{\{secret:([^}\s]*)\}\}/g)].flatMap(({ index, 1: name = '' }) => {
      if (known.has(name)) return []
      const place = advance(top, text.slice(0, index))
      return [{ file, ...place, ruleId: 'unknown-secret', message: describe(name, seeds) }]
    }),
  )
}

const fences = /^ *(`{3,}|~{3,})[^]*?^ *\1/gm

/** Removes the braces of a fence and keeps its length, so that the text after it keeps its position. */
function blanked(fence: string): string {
  return fence.replaceAll(/[{}]/g, ' ')
}

function describe(name: string, seeds: ReadonlySet<string>): string {
  if (seeds.has(name)) return `\`${name}\` makes one-time codes and is never typed: name the code, a key of \`totp\`.`
  return `There is no secret \`${name}\`. Add the variable to the option \`secrets\`, or define a one-time code with \`totp\`.`
}
