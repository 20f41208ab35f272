import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import type { ModelReply, ModelScript } from '../support/model-server.ts'
import { agentsOf } from '../support/processes.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { bySpec, writesLog } from '../support/scripts/wayward.ts'
import { claude, codex, codexCodeMode, createRealProject, sampleOf, skipReason } from './real-project.ts'
import type { Product, RealProject } from './real-project.ts'

const spec = `# Shop

## Look

Run \`node look.mjs\`. It prints "a mug".

## Wait

Run \`node wait.mjs\`. It prints "nothing".
`
const programs = {
  'look.mjs': "console.log('a mug')\n",
  'wait.mjs': "import { writeFileSync } from 'node:fs'\nwriteFileSync('started', '')\nsetTimeout(() => {}, 1e6)\n",
}

/** Files of the project that mdtest and the agent put there; codex makes empty folders as mount points. */
const own = new Set([
  'node_modules',
  'package.json',
  'vitest.config.js',
  'started',
  'run.json',
  ...Object.keys(programs),
  ...['.agents', '.aws', '.codex', '.git'],
])
const filesOf = ({ project }: RealProject): readonly string[] =>
  readdirSync(project.dir).filter((name) => !own.has(name))

interface End {
  readonly product: Product
  readonly what: string
  readonly signal: NodeJS.Signals
  /** Whether it is the agent that is killed, and not who runs it. */
  readonly ofAgent?: boolean
  readonly exitCode: number | undefined
}

const ends: readonly End[] = [
  ...sampleOf([claude, codex, codexCodeMode]).map((product) => ({
    ...({ product, what: 'kill -9 of the agent', ofAgent: true, signal: 'SIGKILL', exitCode: 1 } as const), // a signal
  })),
  { product: codex, what: 'SIGTERM of the agent', ofAgent: true, signal: 'SIGTERM', exitCode: 1 },
  ...sampleOf([claude, codexCodeMode]).map((product) => ({
    ...({ product, what: 'Ctrl-C', signal: 'SIGINT', exitCode: 130 } as const), // a signal
  })),
  ...sampleOf([codex, claude]).map((product) => ({
    ...({ product, what: 'kill -9 of the run', signal: 'SIGKILL', exitCode: undefined } as const), // a signal
  })),
]

describe.skipIf(skipReason !== '').concurrent(`nothing is left running${skipReason}`, () => {
  test.each(ends)('of $product.title after $what', async ({ product, signal, ofAgent = false, exitCode }) => {
    await using real = await createRealProject({
      product,
      script: reportSpec,
      options: { executor: 'agent', allow: ['Bash(node *)'] },
      files: { ...programs, 'shop.test.md': spec },
    })
    const flags = ['--reporter=json', '--output-file=run.json']
    const running = real.project.start('mdtest', ['run', ...flags], { env: real.env, timeoutMs: 280_000 })
    await vi.waitUntil(() => existsSync(real.project.path('started')), { timeout: 200_000, interval: 50 })
    const agents = agentsOf(running.pid ?? 0)
    expect(agents).toHaveLength(1)
    for (const { pid } of ofAgent ? agents : [{ pid: running.pid ?? 0 }]) process.kill(pid, signal)
    expect((await running).exitCode).toBe(exitCode)
    // What it had reported by then stands.
    const verdicts = ['pass evidenced', 'blocked AGENT_CRASHED']
    if (ofAgent) expect(verdictsOf(await real.project.read('run.json'), 'shop.test.md')).toEqual(verdicts)
    // A process that executes another program cannot be seen for a moment: that none is seen is not yet the end.
    await vi.waitFor(
      async () => expect([await real.leftovers(), filesOf(real)]).toEqual([[], ['shop.logs', 'shop.test.md']]),
      { timeout: 60_000, interval: 200 },
    )
  })
})

const passes = writesLog(({ runId }) => `status: pass\nrun: "${runId}"`)
const silence = (): ModelReply => ({ kind: 'silence' })
const failing =
  (status: number): ModelScript =>
  () => ({ kind: 'error', status })

const silentInTheEnd: ModelScript = (conversation) =>
  conversation.results.length > 0 ? silence() : passes(conversation)

const unfinished = {
  '401.test.md': { script: failing(401), verdict: 'blocked AGENT_AUTH' },
  '500.test.md': { script: failing(500), verdict: 'blocked AGENT_CRASHED' },
  'drop.test.md': { script: (): ModelReply => ({ kind: 'drop' }), verdict: 'blocked AGENT_CRASHED' },
  'silent.test.md': { script: silence, head: 'silence-timeout: 6s', verdict: 'blocked AGENT_SILENT' },
  // It writes a log before.
  'silent-in-the-end.test.md': {
    script: silentInTheEnd,
    head: 'silence-timeout: 6s',
    verdict: 'blocked AGENT_SILENT',
  },
  'slow.test.md': { script: reportSpec, head: 'timeout: 10s', verdict: 'blocked AGENT_TIMEOUT' },
}

test.skipIf(skipReason !== '').each(sampleOf([claude, codex]))(
  `$title is blocked by a model that refuses, breaks or never answers, and by its limit${skipReason}`,
  async (product) => {
    const entries = Object.entries(unfinished)
    await using real = await createRealProject({
      product,
      options: { executor: 'agent', allow: ['Bash(node *)'] },
      script: bySpec(Object.fromEntries(entries.map(([name, { script }]) => [name, script]))),
      files: {
        ...programs,
        ...Object.fromEntries(
          entries.map(([name, one]) => [
            name,
            `${'head' in one ? `---\n${one.head}\n---\n\n` : ''}# Shop\n\n## Wait\n\nRun \`node wait.mjs\`. It prints "x".\n`,
          ]),
        ),
      },
    })
    const { exitCode, stdout } = await real.vitest(['run', '--reporter=json'])
    expect(entries.map(([name]) => [name, verdictsOf(stdout, name)[0]])).toEqual(
      entries.map(([name, { verdict }]) => [name, verdict]),
    )
    expect(exitCode).toBe(1)
    expect(readJsonReport(stdout)['500.test.md']?.[0]?.messages?.[0]).toContain('reported an error')
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  },
)

test.skipIf(skipReason !== '')(
  `claude is done with its last word, whatever a Stop hook of the user says${skipReason}`,
  async () => {
    const command = `echo '{"decision":"block","reason":"go on and on"}'`
    await using real = await createRealProject({
      product: claude,
      options: { executor: 'agent', allow: ['Bash(node *)'] },
      script: reportSpec,
      files: {
        ...programs,
        'shop.test.md': '# Shop\n\n## Look\n\nRun `node look.mjs`. It prints "a mug".\n',
        '.claude/settings.json': JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }),
      },
    })
    const { stdout } = await real.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, 'shop.test.md')).toEqual(['pass evidenced'])
    expect(JSON.stringify(real.model.conversations)).toContain('look.mjs')
    expect(JSON.stringify(real.model.conversations)).not.toContain('go on and on')
    expect(readJsonReport(stdout)['shop.test.md']?.at(-1)?.usage?.costUsd).toBeGreaterThan(0)
  },
)
