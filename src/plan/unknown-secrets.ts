import { hideIn } from '../spec/markdown/hidden-text.ts'
import { parseMarkdown } from '../spec/markdown/parse-markdown.ts'
import { advance, top } from '../spec/markdown/places.ts'
import type { SpecProblem } from '../spec/spec.ts'
import { isTextSpec } from '../system/spec-endings.ts'
import type { SpecSettings } from './options/spec-settings.ts'

/** Reports each `{{secret:NAME}}` outside of code blocks whose name is neither in `secrets` nor a one-time code. */
export function unknownSecrets(
  texts: ReadonlyMap<string, string>,
  { browser: { signIn } }: Pick<SpecSettings, 'browser'>,
): readonly SpecProblem[] {
  const { secrets = [], totp = {} } = signIn ?? {}
  const known = new Set([...secrets, ...Object.keys(totp)])
  return [...texts].flatMap(([file, text]) =>
    [...proseOf(file, text).matchAll(/\{\{secret:([^}\s]*)\}\}/g)].flatMap(({ index, 1: name = '' }) => {
      if (known.has(name)) return []
      const place = advance(top, text.slice(0, index))
      return [
        {
          file,
          ...place,
          ruleId: 'unknown-secret',
          message: `There is no secret \`${name}\`. Add the variable to the option \`secrets\`, or name a one-time code, a key of \`totp\`.`,
        },
      ]
    }),
  )
}

function proseOf(file: string, text: string): string {
  const parsed = parseMarkdown(text)
  return isTextSpec(file) || !parsed.ok ? text : hideIn(text, parsed.root.children, { types: ['code'] })
}
