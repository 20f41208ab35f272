import { execFileSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { refusePackages } from '../support/refuse-packages.ts'
import { openUserTerminal } from '../support/user-terminal.ts'

/** Says how it was started, and does nothing. */
const claude = '#!/bin/sh\ncase " $* " in *" -p "*) echo headless;; *) echo interface;; esac >> starts\n'
/** A program without an interface; what it prints is not to be seen. */
const shop = '#!/bin/sh\necho shop >> starts\n'
const spec = (name: string, agent: string): string =>
  `---\nagent: ${agent}\n---\n\n# ${name}\n\n## Add a mug\n\nPut a mug into the cart.\n`

async function createShop(): Promise<Project> {
  const project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['shop'] } })] }\n`,
    'bin/claude': claude,
    'bin/shop': shop,
    'agent.test.md': spec('Agent', 'claude\nexecutor: agent'),
    'blocks.test.md': '---\nagent: none\n---\n\n# Blocks\n\n```console\n$ echo mug\nmug\n```\n',
    'program.test.md': spec('Program', 'command'),
  })
  await Promise.all(['bin/claude', 'bin/shop'].map((name) => chmod(project.path(name), 0o755)))
  return project
}

const bin = 'node_modules/vitest-mdtest/dist/bin.js'

/** Runs a line of `sh` in a terminal in front of which somebody sits. What it printed. */
async function inTerminal(project: Project, line: string): Promise<string> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
  const env = { PATH: `${project.path('bin')}:${PATH}`, HOME, TMPDIR, NO_COLOR: '1', TERM: 'xterm-256color' }
  const terminal = openUserTerminal(line, { cwd: project.dir, env })
  await terminal.ended
  return terminal.output
}

const why = canHideTerminals() ? '' : ' (skipped: this user may not mount)'

/** Whether a mount of our own can hide where terminals are from. */
function canHideTerminals(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '--bind', '/dev/null', '/dev/ptmx'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.concurrent("whether an agent's interface is shown in a terminal", () => {
  test('it is, one agent after another, and what has none works beside it', async () => {
    await using project = await createShop()
    const output = await inTerminal(project, `${lane.node} ${bin} run --concurrency 3; echo "code $?"`)
    expect(await project.read('starts')).toMatch(/^(interface\nshop|shop\ninterface)\n$/)
    expect(output).toContain('mdtest: claude carries out agent.test.md > Agent (spec 1 of 3)\r\n')
    expect(output).toMatch(/mdtest: \S+ carries out program\.test\.md > Program \(spec 3 of 3\), without an interface/)
    expect(output).toContain('1 passed, 2 failed')
    expect(output).toContain('code 1')
    // Vitest's window would be drawn over the interface.
    expect(output.match(/Start at/g)).toHaveLength(1)
  })

  test('it is not where that was said, where nobody can answer or an agent is at the keys', async () => {
    await using project = await createShop()
    const run = `${lane.node} ${bin} run agent.test.md`
    const lines = [
      `${run} --headless`,
      `CI=1 ${run}`,
      `TERM=dumb ${run}`,
      `${run} < /dev/null`,
      // A job in the background.
      `set -m; ${run} & wait $!; set +m`,
      `CLAUDECODE=1 ${run}`,
    ]
    const output = await inTerminal(project, lines.map((line) => `echo "next"; ${line}`).join('\n'))
    expect(await project.read('starts')).toBe('headless\n'.repeat(lines.length))
    expect(output).not.toContain('carries out')
    const reasons = output
      .split('next\r\n')
      .slice(1)
      .map((part) => /because (.*)\r\n/.exec(part)?.[1])
    expect(reasons).toEqual([...Array(5).fill(undefined), '`claude` seems to have started this. `-i` shows it.'])
  })

  test('nothing is run where the package for it is missing', async () => {
    await using project = await createShop()
    const line = `${lane.node} --import '${refusePackages('@lydell/')}' ${bin} run`
    const output = await inTerminal(
      project,
      `${line}; echo "code $?"; ${line} -i; echo "code $?"; touch starts; cat starts`,
    )
    expect(output.match(/mdtest: The .*`@lydell\/node-pty`, which is not installed.*\r\ncode 2\r\n/g)).toHaveLength(2)
    expect(output).toMatch(/code 2\r\n$/)
  })

  test.skipIf(why !== '')(`nothing is run where the system gives no terminal to hand out${why}`, async () => {
    await using project = await createShop()
    const hidden = 'mount --bind /dev/null /dev/ptmx'
    const line = `unshare -m sh -c '${hidden}; ${lane.node} ${bin} run; echo "code $?"; touch starts; cat starts'`
    expect(await inTerminal(project, line)).toMatch(/mdtest: The system gives no pseudoterminal .*\r\ncode 2\r\n$/)
  })
})
