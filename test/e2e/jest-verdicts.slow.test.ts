import { execFileSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { readVerdict } from '../../src/records/verdict/verdict-record.ts'
import { createProject, type Project } from '../support/create-project.ts'
import { commitAll } from '../support/git-project.ts'
import { runJest, type JestSpec } from '../support/jest-report.ts'
import { readJsonReport, type ReportedTest } from '../support/json-report.ts'
import { jest, lane, type Lane } from '../support/lane.ts'
import { failingSpec, passingSpec } from '../support/specs.ts'

const none = '---\nagent: none\n---\n\n'
const sh = (code: string): string => `\`\`\`sh\n${code}\n\`\`\`\n\n`
const step = (title: string, code: string, directive = ''): string =>
  `## ${title}\n\n${directive && `<!-- mdtest: ${directive} -->\n\n`}${sh(code)}`
const prose = (front = ''): string => `${front}# Shop\n\n## Add a mug\n\nPut a mug in.\n\n## Pay\n\nPay for it.\n`

/** A shell function for each agent, by the name of its spec. */
const agents = `spec=$(basename "$2" .test.md)
log="$1"
write() { printf -- '---\\nstatus: %s\\nsteps:\\n  - { id: 1-add-a-mug, status: %s }\\n  - { id: 2-pay, status: pass }\\n---\\n' "$1" "$2" > "$log"; }
case $spec in
  says-pass) write pass pass ;;
  says-fail) write fail fail ;;
  says-nothing) exit 3 ;;
  is-slow) sleep 20 ;;
  secret) echo "$SHOP_TOKEN" >&2; exit 4 ;;
esac
`

/** Carries out specs with `agent: claude`: reports each step while it works. */
const reporting = `#!${process.execPath}
import { reportStep } from ${JSON.stringify(new URL('../support/report-client.mjs', import.meta.url).href)}
const report = (step, status) => reportStep({ step, status })
await report('1-add-a-mug', 'pass')
await report('2-pay', 'fail')
`

const specs: Readonly<Record<string, string>> = {
  'passes.test.md': passingSpec,
  'fails.test.md': failingSpec.replace('agent: none', 'agent: none\nafter-failure: stop'),
  'directives.test.md': `${none}# A\n\n${step('Skipped', 'false', 'skip="not yet"')}${step('Later', 'false', 'todo')}${step('Known', 'false', 'fails')}${step('Mended', 'true', 'fails')}${step('Last', 'true')}`,
  'only.test.md': `${none}# A\n\n${step('First', 'echo first >> only-trace')}## Group\n\n<!-- mdtest: only -->\n\n#${step('Inner', 'echo inner >> only-trace')}#${step('Other', 'true')}${step('Last', 'false')}`,
  'table.test.md': `${none}# A\n\n## Add {{count}}\n\n${sh('test {{count}} -lt 3')}### Examples\n\n| count |\n| ----- |\n| 2     |\n| 3     |\n`,
  'includes.test.md': `---\nagent: none\ninclude: [./shared/login.md]\n---\n\n# A\n\n${step('Own', 'echo "$user" | grep ann')}`,
  'setup.test.md': `${none}# A\n\n## Setup\n\n${sh('exit 7')}${step('One', 'true')}${step('Two', 'true')}`,
  'teardown.test.md': `${none}# A\n\n${step('One', 'true')}${step('Two', 'true')}## Teardown\n\n${sh('exit 8')}`,
  'skips-itself.test.md': `${none}# A\n\n${step('One', 'exit 80')}${step('Two', 'true')}`,
  'requires.test.md': `---\nagent: none\nrequires: ["bin:no-such-program"]\n---\n\n# A\n\n${step('One', 'true')}`,
  'effects.test.md': `---\nagent: none\nside-effects: true\n---\n\n# A\n\n${step('One', 'true')}`,
  'repeats.test.md': `---\nagent: none\nrepeats: 3\nrequire: 2\n---\n\n# A\n\n${step('Rare', 'echo x >> rare; test $(wc -l < rare) -ne 2')}${step('Never', 'false')}`,
  'retry.test.md': `${none}# A\n\n${step('At last', 'echo x >> tries; test $(wc -l < tries) -eq 3', 'retry=2')}`,
  'timeout.test.md': `${none}# A\n\n## One\n\n\`\`\`sh timeout=300ms\nsleep 20\n\`\`\`\n`,
  'temp.test.md': `---\nagent: none\ncwd: temp\n---\n\n# A\n\n${step('One', 'test "$(ls -A | wc -l)" -eq 0')}`,
  'problem.test.md': `${none}# A\n\n## One\n\n<!-- mdtest: nonsense -->\n\n${sh('true')}`,
  'two.test.md': `${none}# A\n\n${step('One', 'false')}# B\n\n${step('One', 'true')}`,
  'alone.test.md': `${none}# A\n\n${sh('true')}`,
  'says-pass.test.md': prose(),
  'says-fail.test.md': prose(),
  'says-nothing.test.md': prose(),
  'is-slow.test.md': prose('---\ntimeout: 500ms\n---\n\n'),
  'strict.test.md': prose('---\nmin-assurance: verified\n---\n\n').replace('Shop', 'Strict'),
  'secret.test.md': prose(),
  'reports.test.md': prose('---\nagent: claude\nexecutor: agent\nmin-assurance: claimed\n---\n\n').replace(
    '## Pay',
    '```sh verify\ntrue\n```\n\n## Pay',
  ),
}
const secret = 'a-token-of-the-shop'
const envIn = (project: Project): Readonly<Record<string, string>> => ({
  SHOP_TOKEN: secret,
  CI: 'true',
  PATH: `${project.path('bin')}:${process.env.PATH}`,
})
/** One at a time: what an agent changes counts against all that are at work. */
const options = `{ maxAgents: 1, agent: { command: ['sh', 'agent.sh', '{log}', '{spec}'] } }`

async function createShop(on: Lane): Promise<Project> {
  const project = await createProject(
    {
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { test: { allowOnly: true }, plugins: [mdtest(${options})] }\n`,
      'jest.config.js': `import { mdtest } from 'vitest-mdtest/jest'\nexport default mdtest(${options})\n`,
      'agent.sh': agents,
      'bin/claude': reporting,
      'bin/package.json': '{ "type": "module" }\n',
      'src/shop.js': 'old\n',
      'shared/login.md': `# Log in\n\n${step('Enter', 'user=ann')}`,
      '.gitignore': 'node_modules\n*.logs\n.report.*\nonly-trace\nrare\ntries\n',
      ...specs,
    },
    on,
  )
  await chmod(project.path('bin/claude'), 0o755)
  commitAll(project)
  return project
}

describe.skipIf(jest.unavailable !== undefined)('under Jest and under Vitest', () => {
  let ofVitest: Readonly<Record<string, readonly ReportedTest[]>>
  let ofJest: Readonly<Record<string, JestSpec>>
  let output: string

  beforeAll(async () => {
    await using first = await createShop(lane)
    ofVitest = readJsonReport(
      (await first.vitest(['run', '--reporter=json', '--allowOnly'], { env: envIn(first) })).stdout,
    )
    await using project = await createShop(jest)
    const { specs: found, all } = await runJest(project, [], envIn(project))
    ofJest = found
    output = all
    expect(await project.read('only-trace')).toBe(await first.read('only-trace'))
    const log = /says-pass\.logs\/\S+/.exec(
      execFileSync('find', [project.dir, '-name', '*.verdict.json'], { encoding: 'utf8' }),
    )
    const reading = await readVerdict(project.path(log?.[0] ?? ''))
    expect(reading.ok && reading.record.steps.map(({ outcome }) => outcome)).toEqual(['pass', 'pass'])
  })

  test.for(Object.keys(specs))('%s has the same tests with the same verdicts', (name) => {
    const [expected, { tests: found = [], message = '' } = {}] = [ofVitest[name] ?? [], ofJest[name]]
    expect(found.map(({ name: title, line, status }) => ({ name: title, line, status }))).toEqual(
      expected.map((each) => ({ name: each.name, line: each.line, status: statusInJest(each) })),
    )
    for (const [index, { codes, messages = [], status }] of expected.entries()) {
      if (status !== 'failed') continue
      for (const [place, code] of codes.entries()) {
        expect(plain(found[index]?.failure ?? '')).toContain(plain(`${code}: ${messages[place]}`))
      }
      expect(found[index]?.failure).toMatch(/\.md:\d+:1\n?/)
    }
    if (name === 'problem.test.md') expect(message).toContain('problem.test.md:9:14  unknown-directive')
  })

  test('what was not run because of an earlier step says so, and is no pass', () => {
    const [, , comesAfter] = ofJest['fails.test.md']?.tests ?? []
    expect(comesAfter?.failure).toContain('StepFailure: not run: step Says something else failed\n')
    expect(ofJest['reports.test.md']?.tests.map(({ status }) => status)).toEqual(['passed', 'failed'])
    expect(ofJest['reports.test.md']?.tests[1]?.failure).toContain('STEP_FAILED: ')
    expect(output).toContain('skipped requires.test.md: What the spec requires is not there: `bin:no-such-program`')
    expect(output).toMatch(/^steps: \d+ passed: .*; \d+ failed; 1 blocked; 1 flaky$/m)
  })

  test('a spec that skips itself is no pass, in a run of its own', async () => {
    await using project = await createShop(jest)
    const name = 'skips-itself.test.md'
    const { specs: found } = await runJest(project, [name], envIn(project))
    expect(found[name]?.tests[0]?.failure).toContain('not run: SKIPPED_BY_BLOCK: ')
  })

  test('prints what was expected green, and what came red, where it has colors', async () => {
    await using project = await createProject(
      {
        'jest.config.js': "import { mdtest } from 'vitest-mdtest/jest'\nexport default mdtest()\n",
        'fails.test.md': failingSpec,
      },
      jest,
    )
    const { all } = await project.jest(['--color'], { env: { FORCE_COLOR: '1', NO_COLOR: undefined } })
    expect(all).toMatch(/\u001b\[32m- *goodbye\u001b\[39m\n *\u001b\[31m\+ *hello\u001b\[39m/)
    expect(output).not.toContain('\u001b[32m-')
  })

  test('no secret is shown', () => {
    expect(ofJest['secret.test.md']?.message).toContain('***')
    expect(output + JSON.stringify(ofJest)).not.toContain(secret)
  })
})

function statusInJest({ status, codes }: ReportedTest): string {
  if (status !== 'skipped') return status
  return codes.some((code) => ['PREDECESSOR_FAILED', 'SKIPPED_BY_BLOCK'].includes(code)) ? 'failed' : 'pending'
}

/** Without what differs from run to run. */
function plain(text: string): string {
  return text
    .replaceAll(/\S*\/mdtest-project-\w+/g, '<root>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d-]+Z/g, '<time>')
    .replaceAll(/\b[0-9a-f]{32}\b/g, '<run>')
}
