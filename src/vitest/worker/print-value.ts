import { inspect } from 'node:util'
import { createExpect } from 'vitest'

/** A value as Vitest prints it in a diff, asymmetric matchers too; a text as it is. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return value
  let printed: string | undefined
  const expect = createExpect()
  // Vitest hands its printer to matchers only.
  expect.extend({
    toBePrinted(received) {
      printed = this.utils.stringify(received, undefined, { printBasicPrototype: false })
      return { pass: true, message: () => '' }
    },
  })
  const assertion = expect(value)
  const matcher: unknown = Reflect.get(assertion, 'toBePrinted')
  if (typeof matcher === 'function') Reflect.apply(matcher, assertion, [])
  return printed ?? inspect(value)
}
