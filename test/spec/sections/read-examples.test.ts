import { describe, expect, test } from 'vitest'

import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { stepsOf } from '../../../src/spec/spec.ts'
import type { Step } from '../../../src/spec/spec.ts'
import fc from '../../support/fast-check.ts'

function stepsIn(text: string): readonly Step[] {
  const { spec, problems } = parseSpec(text, { file: '/s.test.md' })
  expect(problems).toEqual([])
  return spec.scenarios.flatMap((scenario) => stepsOf(scenario))
}

const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

describe('a table under Examples', () => {
  test('executor any value of a cell over as it is written', () => {
    const cell = fc
      .string({ unit: fc.constantFrom(...'ab {}<>*_~[]()!#$&;\\\'"|1.-:/%é🎉`') })
      .map((text) => text.trim())
      // A backtick makes a code span, which has rules of its own; `\|` stands for `|`.
      .filter((text) => !/`|\\$/.test(text) && !text.includes('\\|'))
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 3 }), (values) => {
        const rows = values.map((value) => [value.replaceAll('|', '\\|')])
        const text = `# T\n\n## S\n\n\`\`\`sh run\nx{{v}}x\n\`\`\`\n\n### Examples\n\n${table(['v'], rows)}\n`
        expect(stepsIn(text).map(({ blocks }) => blocks[0]?.code)).toEqual(values.map((value) => `x${value}x`))
      }),
    )
  })

  test('puts values in once: what they hold is not looked at again', () => {
    const text = `# T\n\n## S\n\n- [ ] {{a}} <b> {{ a }} {{a b}} <B>\n\n### Examples\n\n${table(['a', 'b'], [['{{b}} $&', '<a>']])}\n`
    expect(stepsIn(text)[0]?.checks).toMatchObject([{ text: '{{b}} $& <a> {{b}} $& {{a b}}' }])
  })

  test('takes any text for the name of a column', () => {
    const names = ['größe (cm)', '$1', 'a.b*', '__proto__', '0', 'x/y-z']
    const code = names.map((name) => `{{${name}}}<${name}>`).join(' ')
    const header = names.map((name) => `\`${name}\``)
    const text = `# T\n\n## S\n\n\`\`\`sh run\n${code}\n\`\`\`\n\n### Examples\n\n${table(header, [['1', '2', '3', '4', '5', '6']])}\n`
    const [step] = stepsIn(text)
    expect(step?.blocks[0]?.code).toBe('11 22 33 44 55 66')
    expect(Object.entries(step?.example?.values ?? {})).toContainEqual(['__proto__', '4'])
  })

  test('is too large where its rows times its step would fill the memory', () => {
    const rows = Array.from({ length: 80 }, (_, index) => [String(index)])
    const code = 'a line {{v}}\n'.repeat(18_000)
    const text = `# T\n\n## S\n\n\`\`\`sh run\n${code}\`\`\`\n\n### Examples\n\n${table(['v'], rows)}\n`
    expect(parseSpec(text, { file: '/s.test.md' }).problems).toMatchObject([{ ruleId: 'spec-too-large', line: 18_010 }])
  })
})
