import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { specAgentNames } from '../../src/agents/registry.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { runTestInput } from '../../src/commands/mcp/run-test-input.ts'
import { root } from './tracked-files.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Names that the source tells of, and the page that has to tell of each as code. */
const contracts: readonly (readonly [string, string, readonly string[]])[] = [
  ['words of directives', 'front-matter', knownIn('# A\n\n<!-- mdtest: zz -->\n\n- [ ] b\n')],
  ['attributes of scripts', 'blocks', knownIn('# A\n\n```sh run zz\ntrue\n```\n')],
  ['attributes of files', 'blocks', knownIn('---\ncwd: temp\n---\n\n# A\n\n```text file=a zz\nb\n```\n')],
  ['fields of run_test', 'mcp', Object.keys(runTestInput.shape)],
]

test.each(contracts)('the %s stand in docs/%s.md, each in front of a line of a list', (_, page, names) => {
  const heads = [...read(`docs/${page}.md`).matchAll(/^- ([^:\n]+)/gm)].map(([, head = '']) => head).join('\n')
  expect(names.length).toBeGreaterThan(1)
  expect(names.filter((name) => !new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(heads))).toEqual([])
})

/** The names that the message of a problem lists as known. */
function knownIn(spec: string): readonly string[] {
  const { problems } = parseSpec(spec, { file: '/a.test.md', agentNames: specAgentNames })
  const [, list = ''] = /Known(?: words)?: (.*)/.exec(problems.map(({ message }) => message).join(' ')) ?? []
  return [...list.matchAll(/`([\w-]+)/g)].map(([, name = '']) => name)
}
