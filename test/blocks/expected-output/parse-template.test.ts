import { describe, expect, test } from 'vitest'
import { parseTemplate } from '../../../src/blocks/expected-output/parse-template.ts'

/** Parts in short: text as it is, `<name=regex>`, `<name>`; or where what is wrong begins. */
function read(line: string): readonly string[] {
  const { parts, problems } = parseTemplate(line)
  if (problems.length > 0) return problems.map(({ index, message }) => `${index}: ${message.split(/[:.] /)[0]}`)
  return parts.map((part) => {
    if (part.kind === 'text') return part.text
    return part.kind === 'recall' ? `<${part.name}>` : `<${part.name}=${part.source.slice('(?:'.length, -1)}>`
  })
}

describe('a line of expected output', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    ['plain', ['plain']],
    ['{{id}}', ['<id>']],
    ['id {{id:/\\d+/}}!', ['id ', '<id=\\d+>', '!']],
    ['{{a:/x/}}{{b:/y/}}{{a}}', ['<a=x>', '<b=y>', '<a>']],
    ['{{id:/a\\/\\}\\}b/}}', ['<id=a\\/\\}\\}b>']],
    ['{{id:/a\\/}}b/}}', ['0: `a\\/}}b` is no regular expression']],
    ['{{id:/a}}b/}}', ['0: `a}}b` is no regular expression']],
    ['{{ id }}', ['{{ id }}']],
    ['{{1}}', ['{{1}}']],
    ['{{}}', ['{{}}']],
    ['{{a.b}}', ['{{a.b}}']],
    ['{{ "json": 1 }}', ['{{ "json": 1 }}']],
    ['{id}', ['{id}']],
    ['{{{id}}}', ['{', '<id>', '}']],
    ['{{a:/{{b}}/}}', ['0: `{{b}}` is no regular expression']],
    ['{{id:/(/}}', ['0: `(` is no regular expression']],
    ['x {{id:/a', ['2: `{{id:` begins no capture']],
    ['x {{id: a}}', ['2: `{{id:` begins no capture']],
    ['{{a-b:/x/}}', ['0: `a-b` is no name for what is captured']],
    ['{{ä:/x/}}', ['0: `ä` is no name for what is captured']],
    ['{{a-b:/x', ['{{a-b:/x']],
    [
      '{{id:/(a)\\1/}}',
      ['0: The regular expression of `id` refers back to a group; in a capture that is not possible'],
    ],
    [
      '{{id:/(?<x>a)\\k<x>/}}',
      ['0: The regular expression of `id` refers back to a group; in a capture that is not possible'],
    ],
    ['{{id:/a\\\\1/}}', ['<id=a\\\\1>']],
  ])('%s', (line, parts) => {
    expect(read(line)).toEqual(parts)
  })
})

test('has a problem where groups of two captures clash', () => {
  const { problems } = parseTemplate('x {{a:/(?<x>1)/}}{{b:/(?<x>2)/}}')
  expect(problems).toEqual([{ index: 2, message: expect.stringContaining('is no regular expression') }])
})
