import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { verdictsOf } from '../support/json-report.ts'

const secret = 'tok-4f1c9b2e7d'
const env = { SHOP_TOKEN: secret }

/** The user's, in which mdtest has nothing to do; each holds the secret, so that redaction would show. */
const foreign = {
  'src/config.js': `export const token = '${secret}'\n`,
  '.env': `SHOP_TOKEN=${secret}\nOTHER=1\n`,
  'home/auth.json': `{"login":"carol","token":"${secret}"}\n`,
  'home/pass.txt': `carol's diary\n`,
}

/** A project whose agent is this program; `log`, `evidence` and `logs` are in scope of it. */
async function projectOf(
  program: string,
  options = '',
  files: Readonly<Record<string, string>> = {},
): Promise<Project> {
  return createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ secrets: ['SHOP_TOKEN'], ${options} agent: { command: [${JSON.stringify(process.execPath)}, 'agent.mjs', '{log}'] } })] }\n`,
    'agent.mjs': `import { appendFileSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import { dirname, resolve } from 'node:path'
const [log] = process.argv.slice(2)
const evidence = log.replace('.log.md', '')
const logs = dirname(log)
const pass = (...more) => writeFileSync(log, ['---', 'status: pass', ...more, '---', ''].join('\\n'))
${program}
`,
    'shop.test.md': '# Shop\n\nBuy a mug.\n',
    ...foreign,
    ...files,
  })
}

async function foreignOf(project: Project): Promise<Record<string, string>> {
  const names = Object.keys(foreign)
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await project.read(name)] as const)))
}

/** All that a report holds, in one text. */
async function reportOf(project: Project): Promise<string> {
  const names = readdirSync(project.path('mdtest-report'), { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => project.read(file.slice(project.dir.length + 1))))).join('\n')
}

type Attacks = readonly (readonly [title: string, program: string])[]

/** Attacks on what is the user's by what belongs to one scenario: agents of one run make them, each in a spec of its own. */
const attacksByOwnFiles: Attacks = [
  ['makes the evidence folder a link', `symlinkSync(resolve('src'), evidence); pass()`],
  [
    'puts folder links into it',
    `mkdirSync(evidence); for (const name of ['src', 'home']) symlinkSync(resolve(name), evidence + '/' + name); pass()`,
  ],
  [
    'puts links into it by a way with `..`',
    `mkdirSync(evidence + '/a/b', { recursive: true }); symlinkSync('a/../../../home', evidence + '/up'); pass()`,
  ],
  [
    'puts file links into it',
    `mkdirSync(evidence); symlinkSync(resolve('.env'), evidence + '/a.txt'); symlinkSync(resolve('home/pass.txt'), evidence + '/b.txt'); pass()`,
  ],
  [
    'puts hard links into it',
    `mkdirSync(evidence); linkSync('.env', evidence + '/a.txt'); linkSync('home/auth.json', evidence + '/b.json'); linkSync('src/config.js', evidence + '/c.md'); pass()`,
  ],
  ['puts pipes and sockets into it', `mkdirSync(evidence); execFileSync('mkfifo', [evidence + '/pipe.txt']); pass()`],
  [
    'exchanges the log folder for a link',
    `pass(); renameSync(logs, logs + '.gone'); symlinkSync(resolve('home'), logs)`,
  ],
  [
    'makes the register of runs a link',
    `rmSync(logs + '/.mdtest-runs'); symlinkSync(resolve('.env'), logs + '/.mdtest-runs'); pass()`,
  ],
  [
    'exchanges a folder of its evidence again and again, from a child that outlives it',
    `mkdirSync(evidence + '/shots', { recursive: true }); writeFileSync(evidence + '/shots/pass.txt', 'mine')
const swap = "const { renameSync, symlinkSync, rmSync, unlinkSync } = require('fs'); const [at, to] = process.argv.slice(1); const end = Date.now() + 20_000; const loop = () => { try { renameSync(at, at + '.x'); symlinkSync(to, at); unlinkSync(at); renameSync(at + '.x', at) } catch {} if (Date.now() < end) setImmediate(loop) }; loop()"
spawn(process.execPath, ['-e', swap, evidence + '/shots', resolve('home')], { detached: true, stdio: 'ignore', env: {} }).unref()
pass()`,
  ],
  ['makes its log a link', `symlinkSync(resolve('.env'), log)`],
  ['makes its log a hard link', `linkSync('.env', log)`],
  [
    'makes all files of the run links',
    `for (const end of ['.journal.jsonl', '.raw.log', '.verdict.json']) { rmSync(evidence + end, { force: true }); symlinkSync(resolve('.env'), evidence + end) } pass()`,
  ],
  [
    'makes all files of the run hard links',
    `for (const end of ['.journal.jsonl', '.raw.log', '.verdict.json']) { rmSync(evidence + end, { force: true }); linkSync('.env', evidence + end) } pass()`,
  ],
]

/** Attacks by the report, which all scenarios share. */
const attacksByReport: Attacks = [
  [
    'makes parts and files of the report links',
    `rmSync('mdtest-report', { recursive: true, force: true }); mkdirSync('mdtest-report')
for (const name of ['specs', 'images', 'logs']) symlinkSync(resolve('home'), 'mdtest-report/' + name)
for (const name of ['report.js', 'report.css', 'summary.js', 'coverage.html']) symlinkSync(resolve('.env'), 'mdtest-report/' + name)
pass()`,
  ],
  [
    'makes the report a link',
    `rmSync('mdtest-report', { recursive: true, force: true }); symlinkSync(resolve('home'), 'mdtest-report'); pass()`,
  ],
]

/** Runs the specs twice, then all that reads what they left, and finds everything as it was. */
async function expectNothingLost(project: Project): Promise<void> {
  const args = ['run', '--reporter=default', '--reporter=vitest-mdtest/reporter']
  await project.vitest(args, { env })
  expect(await foreignOf(project)).toEqual(foreign)
  expect(readdirSync(project.path('home')).toSorted()).toEqual(['auth.json', 'pass.txt'])
  // Once more: what it left is what this run finds, and what it removes.
  await project.vitest(args, { env })
  await project.mdtest(['show'], { env })
  expect(await foreignOf(project)).toEqual(foreign)
  expect(readdirSync(project.path('home')).toSorted()).toEqual(['auth.json', 'pass.txt'])
  const isRefused = readlinkOf(project.path('mdtest-report')) !== undefined
  const told = isRefused ? '' : await reportOf(project)
  expect(['carol', 'OTHER=1'].filter((word) => told.includes(word))).toEqual([])
}

describe.concurrent('an agent loses and leaks nothing of the user that', () => {
  test(attacksByOwnFiles.map(([title]) => title).join(', or '), async () => {
    const programs = attacksByOwnFiles.map(([, program]) => `() => { ${program} }`)
    const specs = attacksByOwnFiles.map((_, index) => [`try-${index}.test.md`, '# Shop\n\nBuy a mug.\n'] as const)
    const program = `const programs = [${programs.join(',\n')}]
const index = /try-(\\d+)/.exec(log)[1]
appendFileSync('tried.txt', index + '\\n')
programs[index]()`
    await using project = await projectOf(program, '', Object.fromEntries(specs))
    await project.remove('shop.test.md')
    await expectNothingLost(project)
    const tried = new Set((await project.read('tried.txt')).trim().split('\n'))
    expect(tried.size).toBe(attacksByOwnFiles.length)
  })

  test.for(attacksByReport)('%s', async ([, program]) => {
    await using project = await projectOf(program)
    await expectNothingLost(project)
  })
})

function readlinkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

const runNamed = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`mine/20${10 + index}-01-01T00-00-00Z.log.md`, `${index}`]),
  )

test('what only looks like ours stays: in a folder that the log folder is a link to, which is refused, and in it itself', async () => {
  const ours = Object.entries(runNamed(6)).map(([name, text]) => [`own.logs/${basename(name)}`, text])
  const files = { ...runNamed(6), ...Object.fromEntries(ours), 'own.test.md': '# Shop\n\nBuy a mug.\n' }
  await using project = await projectOf('pass()', 'logs: { keep: 1 },', files)
  await symlink('mine', project.path('shop.logs'))
  for (let count = 0; count < 2; count += 1) {
    // A run keeps what was made in the second in which it begins.
    await sleep(1_100)
    const { exitCode, all } = await project.vitest(['run'])
    expect(exitCode).toBe(1)
    expect(all).toMatch(/shop\.logs` is a link to `mine`.*name the one that it leads to/)
  }
  expect(readdirSync(project.path('mine'))).toHaveLength(6)
  const logs = readdirSync(project.path('own.logs')).filter((name) => name.endsWith('.log.md'))
  expect(logs.filter((name) => name < '2020')).toHaveLength(6)
  expect(logs).toHaveLength(7)
})

describe('an honest project', () => {
  test('may lie behind links, and have its logs on another disk', async () => {
    await using project = await projectOf(
      `mkdirSync(evidence + '/deep', { recursive: true }); writeFileSync(evidence + '/deep/page.txt', 'token ${secret}'); pass()`,
      `logs: { dir: 'elsewhere/../../logs-of-%' },`.replace('%', 'shop'),
    )
    const home = await realpath(await mkdtemp(join(tmpdir(), 'mdtest-link-')))
    try {
      await symlink(project.dir, join(home, 'project'))
      await mkdir(join(home, 'disk'))
      await symlink('disk', join(home, 'logs-of-shop'))
      const { stdout, all } = await project.vitest(['run', '--reporter=json', '--root', join(home, 'project')], { env })
      expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['pass claimed'])
      const [found] = readdirSync(join(home, 'disk'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('page.txt'),
      )
      const folder = found === undefined ? project.dir : join(home, 'disk')
      expect(existsSync(join(folder, found ?? '../logs-of-shop'))).toBe(true)
    } finally {
      await rm(home, { recursive: true })
      await rm(join(project.dir, '../logs-of-shop'), { recursive: true, force: true })
    }
  })
})
