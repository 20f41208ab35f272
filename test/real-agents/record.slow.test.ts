import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import type { ModelScript } from '../support/model-server.ts'
import { callOwn, playTurn, reportSpec } from '../support/scripts/report-spec.ts'
import { readTask } from '../support/scripts/read-task.ts'
import { readCommandResult, type ModelAction } from '../support/tool-dialect.ts'
import { rightProgram } from './notes-project.ts'
import { claude, codex, createRealProject, sampleOf, skipReason } from './real-project.ts'

/** What is done for each step of a spec, by its title. What the last action of a step gives is quoted. */
type Acts = Readonly<Record<string, readonly ModelAction[]>>

function play(actsOf: Readonly<Record<string, Acts>>): ModelScript {
  return playTurn(function* (conversation) {
    const task = readTask(conversation.prompt)
    const acts = actsOf[basename(task?.specFile ?? '', '.test.md')]
    if (task === undefined || acts === undefined) return 'There is nothing to do.'
    let left: string | undefined
    for (const { id, title } of task.steps) {
      let quote = ''
      for (const action of acts[title] ?? []) {
        const result = yield action
        if (action.kind === 'command' && action.isLeft) left = /\bID: (\w+)/.exec(result.text)?.[1]
        const read = readCommandResult(result, conversation)
        quote =
          action.kind === 'command' && read.kind === 'ran'
            ? read.output.trim()
            : result.text.replace(/^[^]*\nOutput:\n/, '').trim()
      }
      const report = { step: id, status: 'pass', observed: 'As it should be.', evidence: [{ quote }], checks: [] }
      const { text } = yield callOwn('report_step', report)
      if (text.includes('Stop:')) return 'I was told to stop.'
    }
    if (left !== undefined) yield { kind: 'stop', id: left }
    return 'All steps are done.'
  })
}

const importer = `import { readFileSync } from 'node:fs'
const words = readFileSync(process.argv[2], 'utf8').split(/\\s+/).filter(Boolean)
console.log('imported ' + words.length + ': ' + words.join(' '))
`

const server = `import { createServer } from 'node:http'
createServer((_, answer) => answer.end('hello from the shop')).listen(process.argv[2], '127.0.0.1')
`

const client = `const answer = await fetch('http://127.0.0.1:' + process.argv[2])
console.log('It says: ' + (await answer.text()))
`

const head = "---\ncwd: copy\nallow: ['Bash(node *)']\nwrites: [list.txt, deep/list.txt]\nnetwork: true\n---\n\n"

const shelf = readFileSync(new URL('../support/shelf-server.mjs', import.meta.url), 'utf8')

const shelfHead = head.replace(
  'network: true',
  'network: true\nmcp-servers:\n  shelf: { command: node, args: [shelf-server.mjs, words.txt] }',
)

function specs(own: number, agents: number): Readonly<Record<string, string>> {
  return {
    'files.test.md': `${head}# Files\n\n## Import\n\nWrite a list and import it.\n\n## Again\n\nImport another list.\n`,
    'served.test.md': `${head}# Served\n\n## Setup\n\n\`\`\`sh run background wait=port:${own}\nnode server.mjs ${own}\n\`\`\`\n\n## Ask\n\nAsk the server.\n`,
    'serving.test.md': `${head}# Serving\n\n## Start\n\nStart the server and ask it.\n\n## Ask\n\nAsk it again.\n`,
    'unsure.test.md': `${shelfHead}# Unsure\n\n## Put\n\nPut tea on the shelf.\n`,
    'shelf-server.mjs': shelf,
    'words.txt': 'Done\n',
    'import.mjs': importer,
    'server.mjs': server.replace('process.argv[2]', 'Number(process.argv[2])'),
    'ask.mjs': client,
    'ports.txt': `${own} ${agents}\n`,
  }
}

const call = (tool: string, input: Record<string, unknown>): ModelAction => ({
  kind: 'mcp',
  server: 'shelf',
  tool,
  input,
})

const run = (command: string): ModelAction => ({ kind: 'command', command })

function actsWith(own: number, agents: number): Readonly<Record<string, Acts>> {
  return {
    files: {
      Import: [{ kind: 'write', file: 'list.txt', content: 'milk\ntea\n' }, run('node import.mjs list.txt')],
      Again: [{ kind: 'write', file: 'deep/list.txt', content: 'eggs' }, run('node import.mjs deep/list.txt')],
    },
    unsure: { Put: [call('put', { thing: 'tea' })] },
    served: { Ask: [run(`node ask.mjs ${own}`)] },
    serving: {
      Start: [
        { kind: 'command', command: `node server.mjs ${agents}`, isLeft: true },
        run(`sleep 1; node ask.mjs ${agents} # localhost:${agents}`),
      ],
      Ask: [run(`node ask.mjs ${agents}`)],
    },
  }
}

test.skipIf(skipReason !== '').each(sampleOf([claude, codex]))(
  `what mdtest did for $title is recorded and repeated, or told of${skipReason}`,
  async (product) => {
    const { agent } = product
    const [own, agents] = [await freePort(), await freePort()]
    const setup = { script: play(actsWith(own, agents)), files: specs(own, agents) }
    await using real = await createRealProject({ product, ...setup })
    const { project, model } = real
    const made = await real.mdtest(['record', '--agent', agent, '--concurrency', '3'])
    const files = await project.read('files.recording.md')
    expect(files).toContain('```text file=list.txt\nmilk\ntea\n```\n\n```console\n$ node import.mjs list.txt\n')
    expect(files).toContain('$ mkdir -p deep && printf %s eggs > deep/list.txt\n')
    expect(await project.read('served.recording.md')).toContain(`$ node ask.mjs ${own}\nIt says: hello from the shop\n`)
    expect(made.all).toContain('unsure.test.md:')
    expect(made.all).toContain(
      '"Put": NEEDS_THE_MODEL: It cannot be repeated without the agent: the tool `put` of the MCP server `shelf`.',
    )
    expect(made.exitCode).toBe(1)
    const [serving, left] = ['serving.recording.md', `node server.mjs ${agents}`]
    expect(await project.read(serving)).toContain(`\`\`\`sh background wait=port:${agents}\n${left}\n\`\`\``)
    await project.remove('unsure.test.md')
    const asked = model.conversations.length
    const replayed = await real.mdtest(['run', '--replay', 'only', '--concurrency', '3'])
    expect(replayed.all).toContain('5 reproduced')
    expect(replayed.exitCode).toBe(0)
    expect(model.conversations).toHaveLength(asked)
    await project.write('import.mjs', importer.replace('imported', 'read'))
    const broken = await real.mdtest(['run', 'files.test.md', '--replay', 'only'])
    expect(broken.all).toContain('REPLAY_DIFFERS')
    expect(broken.all).toContain('files.recording.md:')
    expect(broken.exitCode).toBe(1)
    expect(await real.leftovers()).toEqual([])
  },
)

const noteSpec = (note: string): string =>
  `---\ncwd: copy\nallow: ['Bash(node *)']\n---\n\n# Notes\n\n## Add a note\n\nRun \`node notes.mjs add ${note}\`. It prints "added ${note}".\n`

test.skipIf(skipReason !== '')(
  `recordings of Vitest's own run are written like snapshots: missing ones at once, stale ones with -u, none under CI${skipReason}`,
  async () => {
    const files = { 'notes.mjs': rightProgram, 'a.test.md': noteSpec('milk') }
    await using real = await createRealProject({
      product: codex,
      script: reportSpec,
      options: { recordings: true },
      files,
    })
    const { project, model } = real
    const readRecording = (): Promise<string> => project.read('a.recording.md').catch(() => 'none')
    const inCi = await real.vitest(['run'], { CI: 'true' })
    expect(inCi.exitCode, inCi.all).toBe(0)
    expect(await readRecording()).toBe('none')

    const first = await real.vitest(['run'])
    expect(first.exitCode, first.all).toBe(0)
    expect(first.stdout).toMatch(/Snapshots +1 written/)
    expect(first.stdout).toContain('recorded: a.recording.md')
    const recording = await readRecording()

    const asked = model.conversations.length
    await project.write('a.test.md', noteSpec('bread'))
    const stale = await real.vitest(['run'])
    expect(stale.exitCode, stale.all).toBe(0)
    expect(stale.stdout).toContain(
      'not recorded: a.recording.md "Notes": it was recorded otherwise. Write it with `-u`.',
    )
    expect(model.conversations.length).toBeGreaterThan(asked)
    expect(await readRecording()).toBe(recording)

    const updated = await real.vitest(['run', '-u'])
    expect(updated.exitCode, updated.all).toBe(0)
    expect(updated.stdout).toMatch(/Snapshots +1 updated/)
    expect(await readRecording()).toContain('$ node notes.mjs add bread')
    expect(await real.leftovers()).toEqual([])
  },
)
