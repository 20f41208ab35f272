import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Measure } from '../lib/measure.ts'
import { createProject, mdtestConfig, timeTests, type Project, type TestRun } from '../lib/project.ts'
import { compareTurns, runTurns } from '../lib/rounds.ts'
import { files } from '../lib/spec-texts.ts'
import { timedRow } from '../lib/table.ts'

const specCount = 20
const run: TestRun = { program: 'vitest', args: ['run'], tests: specCount }
const on = 'trace&&{NODE_OPTIONS'

/** Compares 20 specs with and without tracing. Each runs a Node.js program with modules and data three times. */
export const tracing: Measure = async ({ rounds = 9 }) => {
  const commands = '$ node cli.mjs\n12\n'.repeat(3)
  const all = {
    'vitest.config.ts': mdtestConfig,
    'cli.mjs':
      "import { readFileSync } from 'node:fs'\nimport './a.mjs'\nconsole.log(readFileSync('price.txt', 'utf8'))\n",
    'a.mjs': "import './b.cjs'\n",
    'b.cjs': '',
    'price.txt': '12',
    ...files(specCount, (n) => [
      `specs/s${n}.test.md`,
      `---\nagent: none\n---\n\n# Spec ${n}\n\n## It\n\n\`\`\`console\n${commands}\`\`\`\n`,
    ]),
  }
  const [traced, untraced] = [await createProject(all), await createProject(all)]
  try {
    await switchOff(untraced)
    const times = await runTurns(rounds, {
      traced: () => timeTests(traced, run),
      untraced: () => timeTests(untraced, run),
    })
    const name = `${specCount} specs x 3 programs of Node: traced, untraced`
    return [timedRow(name, compareTurns(times.traced, times.untraced), { maxRatio: 1.03 })]
  } finally {
    await Promise.all([traced, untraced].map((project) => project.remove()))
  }
}

/** Patches the built package to disable tracing, because there is no option for this. */
async function switchOff({ dir }: Project): Promise<void> {
  const file = join(dir, 'node_modules/vitest-mdtest/dist/public/internal-runtime.js')
  const code = await readFile(file, 'utf8')
  if (!code.includes(on)) throw new Error(`There is no \`${on}\` in ${file}`)
  await writeFile(file, code.replace(on, 'false&&{NODE_OPTIONS'))
}
