import { expect, test } from 'vitest'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

test.each([
  ['<table><tr><th>agent</th><th>cwd</th></tr><tr><td>none</td><td>temp</td></tr></table>', true],
  ['<table><tr><td>agent</td><td>none</td></tr><tr><td>cwd</td><td>temp</td></tr></table>', true],
  ['<p>agent: none</p>', true],
  ['| agent | cwd |\n| ----- | ---- |\n| none | temp |', true],
  ['<table><tr><th>agent</th><th>price</th></tr><tr><td>Ann</td><td>3</td></tr></table>', false],
  ['| login |\n| ----- |\n| ann |\n| bob |', false],
  ['| title | tags |\n| - | - |\n| a | b |\n| c | d |', false],
  ['<table><tr><th>login</th></tr><tr><td>ann</td></tr><tr><td>bob</td></tr></table>', false],
  ['| login |\n| ----- |\n| ann |', true],
  ['| agent | price |\n| ----- | ----- |\n| Ann | 3 |', false],
])('%s', (above, isFrontMatter) => {
  const text = `# Prices\n\n${above}\n\n## Show\n\nShow them.\n`
  const { problems } = parseSpec(text, { file: '/a.test.md' })
  expect(problems.map(({ line }) => line)).toEqual(isFrontMatter ? [3] : [])
})
