import { describe, expect, test } from 'vitest'
import type { Project } from '../support/create-project.ts'
import { gitIn, projectOfAgent } from '../support/git-project.ts'
import { readJsonReport, type ReportedTest } from '../support/json-report.ts'

const verified = (front: string, directive = ''): string =>
  `---\n${front}\n---\n\n# Shop\n\n## Buy\n\n${directive}\n\nBuy a mug.\n\n\`\`\`sh verify\ngrep right src/shop.js\n\`\`\`\n`

const repairs = 'grep -q right src/shop.js || { say fail; echo right > src/shop.js; }'

async function run(project: Project, ...args: readonly string[]): Promise<Readonly<Record<string, ReportedTest>>> {
  const { stdout, all } = await project.vitest(['run', '--reporter=json', ...args])
  if (!stdout.includes('{"num')) throw new Error(all)
  const files = Object.entries(readJsonReport(stdout))
  return Object.fromEntries(files.flatMap(([name, [first]]) => (first ? [[name, first]] : [])))
}

const codes = ({ outcome, codes: all, flaky }: ReportedTest): readonly unknown[] => [outcome, flaky, ...all]

describe('an agent that repairs the product at its first try', () => {
  test.for<readonly [title: string, spec: string, args: readonly string[]]>([
    ['does not pass at a retry of the spec', verified('cwd: root', '<!-- mdtest: retry=2 -->'), []],
    ['does not pass at a retry of Vitest', verified('cwd: root'), ['--retry=2']],
    ['does not pass by a rate', verified('repeats: 3\nrequire: 1'), []],
    ['does not pass in a copy', verified('cwd: copy', '<!-- mdtest: retry=1 -->'), []],
  ])('%s', async ([, spec, args]) => {
    await using project = await projectOfAgent(repairs, { files: { 'shop.test.md': spec } })
    const { 'shop.test.md': shop } = await run(project, ...args)
    expect([shop?.outcome, shop?.flaky]).toEqual(['fail', undefined])
    expect(shop?.codes).toContain('SOURCE_MODIFIED')
  })

  test('lets no later scenario of the run pass, nor one of the next run, until it is undone', async () => {
    const files = {
      'a.test.md': verified('cwd: root'),
      'b.test.md': verified('cwd: root'),
      'c.test.md': verified('cwd: copy'),
    }
    await using project = await projectOfAgent(repairs, { files })
    const first = await run(project, '--no-file-parallelism')
    expect(Object.values(first).map(({ outcome }) => outcome)).not.toContain('pass')
    expect(Object.values(first).filter(({ codes: all }) => all.includes('SOURCE_MODIFIED'))).toHaveLength(3)
    const { 'b.test.md': second } = await run(project, 'b.test.md')
    expect(second && codes(second)).toEqual(['blocked', undefined, 'SOURCE_MODIFIED'])
    expect(second?.messages?.join()).toMatch(
      /The agent of "[abc]\.test\.md > Shop" changed what is to be tested.*`src\/shop\.js`\. Undo.*git checkout -- src\/shop\.js/,
    )
    gitIn(project, 'checkout', '--', 'src/shop.js')
    await project.write('agent.sh', 'printf -- "---\\nstatus: pass\\n---\\n" > "$1"\n')
    const { 'b.test.md': third } = await run(project, 'b.test.md')
    expect(third && codes(third)).toEqual(['fail', undefined, 'VERIFY_FAILED'])
    await project.write('src/shop.js', 'right\n')
    const { 'b.test.md': last } = await run(project, 'b.test.md')
    expect(last && codes(last), last?.messages?.join()).toEqual(['pass', undefined])
  })
})

test('a spec that an agent weakened is no spec for the next run, and a retry does not make up for it', async () => {
  const spec = verified('cwd: root', '<!-- mdtest: retry=1 -->')
  const weaken = 'grep -q right src/shop.js || sed -i "s/^grep.*/true/" "$2"'
  await using project = await projectOfAgent(weaken, { files: { 'shop.test.md': spec } })
  const { 'shop.test.md': first } = await run(project)
  expect(first?.codes).toContain('SPEC_MODIFIED')
  const { 'shop.test.md': second } = await run(project)
  expect(second && codes(second)).toEqual(['blocked', undefined, 'SOURCE_MODIFIED'])
  gitIn(project, 'commit', '-qam', 'accepted')
  const { 'shop.test.md': third } = await run(project)
  expect(third && codes(third)).toEqual(['pass', undefined])
})

const prose = '# Shop\n\n## Buy\n\nBuy a mug.\n'

describe('an agent that', () => {
  test.for<readonly [title: string, script: string, files?: Readonly<Record<string, string>>, isRepository?: boolean]>([
    ['weakens another spec without git', 'sed -i s/false/true/ other.test.md', {}, false],
    ['weakens what another spec includes without git', 'sed -i s/^false/true/ specs/part.md', {}, false],
    ['plants another configuration', 'echo "export default {}" > vitest.config.ts'],
    ['plants variables for Vite', 'echo VITE_MOCK=1 > .env.test'],
    ['plants settings of npm', 'echo script-shell=/tmp/sh > .npmrc'],
    [
      'plants a program where a package of the workspace has its own',
      'mkdir -p packages/one/node_modules/.bin; echo > packages/one/node_modules/.bin/node',
    ],
    ['plants a program in a folder of PATH at home', 'mkdir -p "$HOME/bin"; echo > "$HOME/bin/node"'],
  ])('%s is seen', async ([title, script, files, isRepository = true]) => {
    await using project = await projectOfAgent(script, {
      files: {
        'shop.test.md': prose,
        'packages/one/package.json': '{}',
        'specs/part.md': '# Part\n\n## Look\n\n```sh\nfalse\n```\n',
        ...files,
      },
      isRepository,
    })
    await project.write(
      'other.test.md',
      '---\ninclude: [specs/part.md]\nagent: none\n---\n\n# Other\n\n## Do\n\n```sh\nfalse\n```\n',
    )
    const home = project.path('home')
    const env = { HOME: home, PATH: `${home}/bin:${process.env.PATH}` }
    const { stdout } = await project.vitest(['run', '--reporter=json', 'shop.test.md'], { env })
    expect(readJsonReport(stdout)['shop.test.md']?.[0]?.codes).toEqual(['SOURCE_MODIFIED'])
    if (!title.startsWith('weakens')) return
    // It would pass now, or do nothing at all.
    await project.write('src/shop.js', 'broken\n')
    expect((await project.vitest(['run', 'other.test.md'])).all).toMatch(
      /SOURCE_MODIFIED|The agent of "shop\.test\.md > Shop" changed/,
    )
  })
})
