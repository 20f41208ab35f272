import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { carryOutSpecWith } from '../support/scripts/carry-out-spec.ts'
import { claude, codex, createRealProject, sampleOf, skipReason } from './real-project.ts'

const example = new URL('../../examples/notes/', import.meta.url)
const names = ['notes.mjs', 'store.mjs', 'specs/find-a-note.test.md', 'specs/shopping-list.test.md']
const files = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, example), 'utf8')] as const)),
)

/** What a tester sees in the outputs of a step's commands. */
const script = carryOutSpecWith({
  'exactly one note is found, although the search was in capitals': (found = '') =>
    /^2 .*water the plants\n?$/.test(found),
  'the program confirms which note it removed': (removed = '') => removed.includes('water the plants'),
  'each note got the next number': (milk = '', bread = '') => milk.includes('1: milk') && bread.includes('2: bread'),
  'the list shows milk ticked off and bread still open': (...outputs) =>
    /\[x\] milk/.test(outputs.at(-1) ?? '') && /\[ \] bread/.test(outputs.at(-1) ?? ''),
})

const allPass = {
  'find-a-note.test.md': ['pass evidenced', 'pass verified'],
  'shopping-list.test.md': ['pass verified'],
}

/** One change of the program each, with the verdicts it must lead to. */
const bugs = [
  {
    bug: 'a note that is removed in words only, which the verify block alone sees',
    from: 'store.write(notes.filter((_note, i) => i !== index))',
    to: 'store.write(notes)',
    verdicts: { ...allPass, 'find-a-note.test.md': ['pass evidenced', 'fail VERIFY_FAILED'] },
  },
  {
    bug: 'a search that minds capitals',
    from: 'note.text.toLowerCase().includes(text.toLowerCase())',
    to: 'note.text.includes(text)',
    verdicts: { ...allPass, 'find-a-note.test.md': ['fail STEP_FAILED CHECK_FAILED', 'skipped PREDECESSOR_FAILED'] },
  },
]

describe.skipIf(skipReason !== '').concurrent.each(sampleOf([claude, codex]))(
  `examples/notes with $title${skipReason}`,
  (product) => {
    test('passes with `mdtest run`, where no configuration is needed', async () => {
      const plain = { ...files, 'vitest.config.js': 'export default {}\n' }
      await using real = await createRealProject({ product, script, files: plain })
      const own = ['--executor=agent', '--min-assurance=observed']
      const args = ['run', '--headless', '--agent', product.agent, ...own, '--reporter=json']
      const { exitCode, stdout } = await real.mdtest(args)
      expect(allVerdicts(stdout)).toEqual(allPass)
      expect(exitCode).toBe(0)
      expect(readJsonReport(stdout)['shopping-list.test.md']?.[0]?.log).toMatch(/^specs\/shopping-list\.logs\//)
      expect(real.model.conversations[0]?.api).toBe(product.agent === 'claude' ? 'anthropic' : 'openai')
      expect(await real.leftovers()).toEqual([])
    })

    test.each(sampleOf(bugs))('fails with $bug', async ({ from, to, verdicts }) => {
      const program = files['notes.mjs'] ?? ''
      expect(program).toContain(from)
      const wrong = { ...files, 'notes.mjs': program.replace(from, to) }
      await using real = await createRealProject({
        product,
        script,
        options: { executor: 'agent', minAssurance: 'observed' },
        files: wrong,
      })
      const { exitCode, stdout } = await real.vitest(['run', '--reporter=json'])
      expect(allVerdicts(stdout)).toEqual(verdicts)
      expect(exitCode).toBe(1)
      expect(await real.leftovers()).toEqual([])
    })
  },
)

function allVerdicts(stdout: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.keys(allPass).map((file) => [file, verdictsOf(stdout, file)]))
}
