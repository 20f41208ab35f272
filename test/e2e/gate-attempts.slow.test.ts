import { existsSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  dishonestScenes,
  honestScenes,
  hiddenScenes,
  sumTest,
  weakTest,
  wrongSum,
  type AttemptScene,
} from '../support/attempt-scenes.ts'
import { createProject } from '../support/create-project.ts'
import { createGateProject, type GateProject } from '../support/gate-project.ts'
import { hostileViteName } from '../support/hostile-name.ts'

const vitestPackage = fileURLToPath(new URL('../../node_modules/vitest', import.meta.url))
const nodeTest = 'node --test sum.test.mjs'

/** An agent that does what a scene says, and says that it has fixed it. */
function openScene({ files, test: command = nodeTest, compile, run, write = {} }: AttemptScene): GateProject {
  const agent = `import { execSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
for (const [path, text] of Object.entries(${JSON.stringify(write)})) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const env = { ...process.env, WEAK: ${JSON.stringify(weakTest)} }
${run === undefined ? '' : `execSync(${JSON.stringify(run)}, { env, stdio: 'ignore', shell: '/bin/bash' })`}
console.log(JSON.stringify({ fix_applied: 'Fixed.' }))
`
  const config = {
    commands: {
      ...(compile !== undefined && { compile }),
      test: tellsNames(command) ? command : { command, names: false },
    },
    agent: { command: ['node', '../agent.mjs', '{prompt}'] },
  }
  const project = createGateProject(
    {
      'mdtest.config.json': JSON.stringify(config),
      ...{ 'sum.mjs': wrongSum, 'sum.test.mjs': sumTest, 'notes.txt': 'of the user\n' },
      ...files,
    },
    // Vitest takes no other.
    command.includes('vitest') ? hostileViteName : undefined,
  )
  project.write('../agent.mjs', agent)
  if (command.includes('vitest.mjs')) symlinkSync(vitestPackage, project.path('node_modules/vitest'))
  project.git('init', '-q', '-b', 'main')
  project.git('add', '-A')
  project.git('commit', '-qm', 'first')
  project.write('notes.txt', 'of the user, not committed\n')
  return project
}

/** What else runs here is no runner: its exit code alone decides. */
function tellsNames(command: string): boolean {
  return /node --test|vitest\.mjs|^npm test$/.test(command)
}

describe.concurrent('an agent does not pass that', () => {
  test.for([...dishonestScenes, ...hiddenScenes])('$title', async (scene, { expect: expectHere }) => {
    using project = openScene(scene)
    const head = project.git('rev-parse', 'HEAD')
    const { exitCode, test: tests, ...rest } = await project.evidence('--fix-attempts', '1', '--no-execution-log')
    const [attempt] = tests?.fix_attempts ?? []
    expectHere({ exitCode, attempt, rest }).toMatchObject({ exitCode: 1 })
    if (scene.rejected)
      expectHere(attempt).toMatchObject({ result: 'rejected', fix_applied: expect.stringMatching(scene.rejected) })
    else if (scene.leftOut) expectHere(attempt?.left_out.map(({ path }) => path)).toEqual(scene.leftOut)
    // Nothing of the user's is lost, and nothing of what judges has changed.
    expectHere(project.read('notes.txt')).toBe('of the user, not committed\n')
    const kept = project.git('status', '--short', '--untracked-files=all').split('\n').filter(Boolean)
    const used = attempt?.changed ?? []
    expectHere(kept.filter((line) => !used.includes(line.slice(3)))).toEqual([' M notes.txt', ...(scene.leaves ?? [])])
    expectHere([project.git('rev-parse', 'HEAD'), project.git('for-each-ref', 'refs/replace')]).toEqual([head, ''])
    expectHere(existsSync(project.path('.git/info/attributes'))).toBe(false)
  })
})

describe.concurrent('an honest agent passes that', () => {
  test.for(honestScenes)('$title', async (scene, { expect: expectHere }) => {
    using project = openScene(scene)
    const { exitCode, test: tests } = await project.evidence('--fix-attempts', '1', '--no-execution-log')
    const attempt = { result: 'pass', changed: scene.used, left_out: [] }
    expectHere([exitCode, tests?.fix_attempts]).toMatchObject([0, [attempt]])
    const plain = (text = ''): string => text.replaceAll(/ +/g, ' ').trim()
    for (const path of scene.used) expectHere(plain(project.read(path))).toBe(plain(scene.write?.[path]))
  })
})

test('an agent that changes what runs the tests passes nothing, one that installs the same again does', async () => {
  const files = {
    'node_modules/vitest/run.mjs': "await import('../../sum.test.mjs')\n",
    'node_modules/vitest/package.json': '{}',
  }
  const scene = {
    ...{ title: '', files, test: 'node node_modules/vitest/run.mjs' },
    write: { 'sum.mjs': wrongSum.replace('-', '+') },
  }
  const act = async (run: string): Promise<readonly [number | null, boolean, string]> => {
    using project = openScene({ ...scene, run })
    const { exitCode, stderr } = await project.gate('--fix-attempts', '1', '--no-execution-log')
    return [exitCode, project.read('sum.mjs') === wrongSum, stderr]
  }
  expect(await act('cp -r node_modules/vitest ../v; rm -r node_modules/vitest; mv ../v node_modules/vitest')).toEqual([
    ...[0, false],
    expect.any(String),
  ])
  expect(await act('echo "process.exit(0)" > node_modules/vitest/run.mjs')).toEqual([
    ...[2, true],
    expect.stringContaining('installed test tools were changed, which git does not track: `node_modules/vitest`'),
  ])
})

test('a person can let it change more, and is told what was left out and where it is', async () => {
  const makefile = 'verify:\n\tgrep -q right answer.txt\n'
  const scene = {
    ...{ title: '', test: 'make verify', files: { Makefile: makefile, 'answer.txt': 'wrong\n' } },
    write: { 'answer.txt': 'right\n', 'scripts/other.cfg': '' },
  }
  using project = openScene(scene)
  const once = ['--fix-attempts', '1', '--no-execution-log']
  const first = await project.evidence(...once)
  const [attempt] = first.test?.fix_attempts ?? []
  expect([first.exitCode, attempt?.left_out.map(({ path }) => path)]).toEqual([1, ['answer.txt', 'scripts/other.cfg']])
  expect(attempt?.fix_applied).toMatch(
    /^Fixed\. No file changed\. Left out, and kept in refs\/mdtest\/gate\/[\w-]+\/after-1: answer\.txt \(/,
  )
  expect(project.git('show', `refs/mdtest/gate/${project.folders()[0]}/after-1:answer.txt`)).toBe('right\n')
  expect(project.read('answer.txt')).toBe('wrong\n')
  const asked = await project.evidence(...once, '--may-change', '*.txt')
  expect([asked.exitCode, asked.test?.fix_attempts]).toMatchObject([
    0,
    [{ changed: ['answer.txt'], left_out: [{ path: 'scripts/other.cfg' }] }],
  ])
})

test('an agent cannot turn specs green by changing what they are made of', async () => {
  const page = (out: string): string => `# Page\n\n\`\`\`console\n$ node app.mjs\n${out}\n\`\`\`\n`
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: 'none', include: ['docs/*.md'] })] }
`,
    'app.mjs': "console.log('wrong')\n",
    'docs/page.md': page('right'),
    'fix.mjs': `import { writeFileSync } from 'node:fs'
writeFileSync('docs/page.md', ${JSON.stringify(page('wrong'))})
console.log(JSON.stringify({ status: 'done', summary: 'As asked.' }))
`,
    'mdtest.config.json': JSON.stringify({ commands: { test: 'npx vitest run' } }),
  })
  const { exitCode, all } = await project.mdtest(['gate', '--fix-attempts', '1', '-a', 'node fix.mjs {prompt}'])
  expect(all).toContain('docs/page.md')
  expect(exitCode).toBe(1)
  expect(await project.read('docs/page.md')).toBe(page('right'))
})
