import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { importCompiled } from '../lib/import-compiled.ts'
import type { Measure } from '../lib/measure.ts'
import { runRounds } from '../lib/rounds.ts'
import { specText, stepsPerSpec } from '../lib/spec-texts.ts'
import { timedRow } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const { resolveOptions } =
  await importCompiled<typeof import('../../src/plan/options/option-defaults.ts')>('plan/options/option-defaults')
const { generateModule } = await importCompiled<typeof import('../../src/vitest/modules/generate-module.ts')>(
  'vitest/modules/generate-module',
)
const { planSpec } = await importCompiled<typeof import('../../src/plan/plan-spec.ts')>('plan/plan-spec')

const specCount = 300
/** Uncounted passes over all texts before the first round, so that both sides are fully compiled by the JIT. */
const warmUps = 5

/** Compares generating modules from texts with only parsing the markdown, in one warm process. */
export const parsing: Measure = async ({ rounds = 15 }) => {
  const texts = Array.from({ length: specCount }, (_, index) => specText(`Spec ${index + 1}`))
  const options = resolveOptions({})
  const generate = (text: string, index: number): string => {
    const planned = planSpec(text, { file: `/specs/s${index + 1}.test.md`, root: '/specs', options, commandLine: {} })
    return planned.ok ? generateModule(planned.plan, text).code : ''
  }
  const parser = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter).freeze()
  const parse = (text: string) => parser.parse(text)
  assertCount('generated tests', {
    expected: specCount * stepsPerSpec,
    actual: texts
      .map(generate)
      .join('\n')
      .match(/\btest\("/g)?.length,
  })
  assertCount('parsed headings', {
    expected: specCount * (stepsPerSpec + 1),
    actual: texts.flatMap((text) => parse(text).children).filter(({ type }) => type === 'heading').length,
  })
  for (let pass = 0; pass < warmUps; pass += 1) for (const act of [generate, parse]) texts.forEach(act)
  const result = await runRounds({ rounds, ours: () => time(texts, generate), plain: () => time(texts, parse) })
  return [timedRow(`parsing ${specCount} specs`, result, { maxRatio: 1.5 })]
}

async function time(texts: readonly string[], act: (text: string, index: number) => unknown): Promise<number> {
  // Makes each text unique, because parsed trees are cached by text.
  const fresh = texts.map((text) => `${text}\n<!-- ${Math.random()} -->\n`)
  const startedAtMs = performance.now()
  fresh.forEach(act)
  return performance.now() - startedAtMs
}
