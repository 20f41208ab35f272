import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { leftAfter } from '../support/leftovers.ts'

/** What the agent does, in `log`, `write` and `dir` its result log, a writer of it and its folder. */
const agents: Readonly<Record<string, readonly [program: string, verdict: string, front?: string]>> = {
  'fifo-in-place': [`write('status: pass'); rmSync(log); execFileSync('mkfifo', [log])`, 'fail LOG_UNREADABLE'],
  'logs-deleted': [`rmSync(dir, { recursive: true })`, 'fail LOG_MISSING'],
  'logs-deleted-and-made': [`rmSync(dir, { recursive: true }); mkdirSync(dir); write('status: pass')`, 'pass claimed'],
  'logs-a-file': [`rmSync(dir, { recursive: true }); writeFileSync(dir, '')`, 'fail LOG_UNREADABLE'],
  'logs-a-link': [`rmSync(dir, { recursive: true }); symlinkSync('.', dir)`, 'fail LOG_UNREADABLE'],
  'huge-output': [
    `for (let n = 0; n < 300; n += 1) writeSync(1, 'x'.repeat(1e5)); write('status: pass')`,
    'pass claimed',
  ],
  'huge-line-pairs': [`writeSync(2, '\\n'.repeat(2e6)); write('status: pass')`, 'pass claimed'],
  'closes-output': [`closeSync(1); closeSync(2); setTimeout(() => write('status: pass'), 500)`, 'pass claimed'],
  'closes-output-and-stays': [
    `closeSync(1); closeSync(2); setInterval(() => {}, 1000)`,
    'blocked AGENT_SILENT',
    'silence-timeout: 3s\n',
  ],
  daemonizes: [
    `spawn('sleep', ['600'], { detached: true, stdio: 'inherit' }).unref(); write('status: pass'); process.exit()`,
    'pass claimed',
  ],
  'daemon-writes-late': [
    `spawn('sh', ['-c', 'sleep 600; printf -- "---\\\\nstatus: pass\\\\n---\\\\n" > "$0"', log], { detached: true, stdio: 'ignore' }).unref(); process.exit()`,
    'fail LOG_MISSING',
  ],
  'changes-directory': [`process.chdir('/'); write('status: pass')`, 'pass claimed'],
  'deletes-directory': [`rmSync(process.cwd(), { recursive: true }); write('status: pass')`, 'pass claimed'],
  'writes-twice': [`write('status: fail'); write('status: pass')`, 'pass claimed'],
  'writes-two-in-one': [`write('status: pass'); appendFileSync(log, '\\n---\\nstatus: fail\\n---\\n')`, 'pass claimed'],
  'same-key-twice': [`write('status: pass\\nstatus: fail')`, 'fail LOG_INVALID_YAML'],
  'byte-order-mark': [`writeFileSync(log, '\\uFEFF---\\nstatus: pass\\n---\\n')`, 'fail LOG_NO_FRONT_MATTER'],
  'utf-16': [`writeFileSync(log, Buffer.from('\\uFEFF---\\nstatus: pass\\n---\\n', 'utf16le'))`, 'fail LOG_UNREADABLE'],
  'windows-lines': [`writeFileSync(log, '---\\r\\nstatus: pass\\r\\n---\\r\\n')`, 'pass claimed'],
  'not-to-be-read': [`write('status: pass'); renameSync(log, log + '.old')`, 'fail LOG_MISSING'],
}

const specOf = (front = ''): string => `---\ncwd: temp\n${front}---\n\n# Shop\n\nBuy a mug.\n`

const agent = `import { appendFileSync, closeSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import { basename, dirname } from 'node:path'
const [log, spec] = process.argv.slice(2)
const dir = dirname(log)
const write = (frontMatter) => writeFileSync(log, '---\\n' + frontMatter + '\\n---\\n')
const programs = {
${Object.entries(agents)
  .map(([name, [program]]) => `  '${name}': () => { ${program} },`)
  .join('\n')}
}
programs[basename(spec, '.test.md')]()
`

describe('an agent', () => {
  test('may treat its log, its output and its directory as it likes', async () => {
    const command = `[${JSON.stringify(process.execPath)}, AGENT, '{log}', '{spec}']`.replace(
      'AGENT',
      `fileURLToPath(new URL('agent.mjs', import.meta.url))`,
    )
    await using project = await createProject({
      'vitest.config.js': `import { fileURLToPath } from 'node:url'\nimport { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ${command} } })] }\n`,
      'agent.mjs': agent,
      ...Object.fromEntries(Object.entries(agents).map(([name, [, , front]]) => [`${name}.test.md`, specOf(front)])),
    })
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    const verdicts = Object.entries(readJsonReport(stdout)).map(([file, tests]) => {
      const [first] = tests
      return [file.replace('.test.md', ''), [first?.outcome, first?.assurance ?? first?.codes[0]].join(' ')]
    })
    expect(Object.fromEntries(verdicts)).toEqual(
      Object.fromEntries(Object.entries(agents).map(([name, [, verdict]]) => [name, verdict])),
    )
    expect(await leftAfter(project.dir)).toEqual([])
  })

  test('is not started where its log has no place', async () => {
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['touch', 'started'] } })] }\n`,
      'a.test.md': '# A\n\nBuy.\n',
      'a.logs': 'a file',
    })
    const { exitCode, all } = await project.vitest(['run'])
    expect(exitCode).toBe(1)
    expect(all).toContain('a.logs')
    await expect(project.read('started')).rejects.toThrow('ENOENT')
  })
})
