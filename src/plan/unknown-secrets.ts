import { hideIn } from '../spec/markdown/hidden-text.ts'
import { parseMarkdown } from '../spec/markdown/parse-markdown.ts'
import { advance, top } from '../spec/markdown/places.ts'
import type { SpecProblem } from '../spec/spec.ts'
import { isTextSpec } from '../system/spec-endings.ts'
import type { SpecSettings } from './options/spec-settings.ts'

/** Reports each `{{secret:NAME}}` with an unknown NAME, except in code blocks. */
export function unknownSecrets(
  texts: ReadonlyMap<string, string>,
  { browser: { signIn } }: Pick<SpecSettings, 'browser'>,
): readonly SpecProblem[] {
  const known = new Set([...(signIn?.secrets ?? []), ...Object.keys(signIn?.totp ?? {})])
  return [...texts].flatMap(([file, text]) => {
    const parsed = parseMarkdown(text)
    const prose = isTextSpec(file) || !parsed.ok ? text : hideIn(text, parsed.root.children, { types: ['code'] })
    return [...prose.matchAll(/\{\{secret:([^}\s]*)\}\}/g)]
      .filter(([, name = '']) => !known.has(name))
      .map(({ index, 1: name }) => ({
        ...{ file, ...advance(top, text.slice(0, index)), ruleId: 'unknown-secret' },
        message: `There is no secret \`${name}\`. Add the variable to the option \`secrets\`, or name a one-time code, a key of \`totp\`.`,
      }))
  })
}
