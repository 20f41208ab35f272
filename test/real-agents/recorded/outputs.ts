import { lineWith, runs, sh, shows, specOf, type RecordedScenario } from './scenario.ts'

/** One program that prints one odd thing, and a step that quotes a line of it. */
function odd({
  name,
  print,
  quote,
  bug,
  harmless,
}: {
  readonly name: string
  /** Statements. */
  readonly print: string
  /** Of the line that is quoted; without it all is. */
  readonly quote?: string
  readonly bug: readonly [string, string]
  readonly harmless?: readonly [string, string]
}): RecordedScenario {
  const file = `${name}/print.mjs`
  const command = `node ${file}`
  const swap = ([from, to]: readonly [string, string]): RecordedScenario['bug'] => ({ file, from, to })
  return {
    name,
    files: { [file]: `const out = (text) => process.stdout.write(text)\n${print}\n` },
    spec: specOf({ 'Print it': 'The program prints what it should.' }),
    acts: { 'Print it': quote === undefined ? runs(command) : shows(quote, command) },
    bug: swap(bug),
    ...(harmless && { harmless: swap(harmless) }),
  }
}

/** What programs print. */
export const outputs: readonly RecordedScenario[] = [
  odd({
    name: 'unicode',
    print: "out('Grüße, 世界 🎉 — “ok”\\u00a0!\\n'); out('naïve café\\n')",
    bug: ['Grüße', 'Grüsse'],
  }),
  odd({
    name: 'colours',
    print: "out('\\x1b[1m\\x1b[31mFAIL\\x1b[0m 2 of 5\\n\\x1b[32mok\\x1b[39m rest\\n')",
    bug: ['2 of 5', '3 of 5'],
    harmless: ['\\x1b[32mok', '\\x1b[36mok'],
  }),
  odd({
    name: 'no-newline',
    print: "out('total: 12')",
    bug: ['12', '13'],
    harmless: ["out('total: 12')", "out('total: 12\\n')"],
  }),
  odd({
    name: 'long',
    print:
      "for (let n = 0; n < 20000; n += 1) out('row ' + n + (n === 77 ? ' LOOK' : '') + (n === 19990 ? ' NEEDLE' : '') + '\\n')",
    quote: 'LOOK',
    bug: ['n === 77', 'n === 78'],
    harmless: ['n < 20000', 'n < 20010'],
  }),
  odd({ name: 'latin-1', print: "out(Buffer.from('caf\\xe9 au lait\\nplain\\n', 'latin1'))", bug: ['lait', 'laid'] }),
  odd({
    name: 'like-the-dialect',
    print: "out('$ not a command\\n> nor this\\n...\\n[3]\\nline (re)\\na {{b}} c\\n```\\nend (glob)\\n[2]\\n')",
    bug: ['{{b}}', '{{c}}'],
  }),
  odd({
    name: 'json',
    print:
      "out(JSON.stringify({ id: crypto.randomUUID(), at: new Date().toISOString(), items: [{ name: 'tea', count: 2 }], took: Math.random() * 9 }, null, 2) + '\\n')",
    quote: '"name": "tea"',
    bug: ["'tea'", "'coffee'"],
    harmless: ['count: 2 }', 'count: 2, unit: "g" }'],
  }),
  {
    name: 'nothing-printed',
    files: {
      'silent/tidy.mjs':
        "import { rmSync, writeFileSync } from 'node:fs'\nwriteFileSync('tidy.txt', 'clean\\n')\nrmSync('dust.txt', { force: true })\n",
    },
    spec: specOf({ 'Tidy up': 'It says nothing and leaves a note.' }),
    acts: {
      *'Tidy up'() {
        yield* sh('touch dust.txt && node silent/tidy.mjs')
        return [lineWith(yield* sh('ls -1 tidy.txt dust.txt 2>&1; cat tidy.txt'), 'clean')]
      },
    },
    bug: { file: 'silent/tidy.mjs', from: "rmSync('dust.txt', { force: true })", to: '' },
  },
]
