import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import type { ModelScript } from '../support/model-server.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { readTask } from '../support/scripts/read-task.ts'
import { readCommandResult, type ModelAction } from '../support/tool-dialect.ts'
import { claude, codex, createRealProject, skipReason } from './real-project.ts'

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
        quote = action.kind === 'command' && read.kind === 'ran' ? read.output.trim() : result.text.trim()
      }
      const report = { step: id, status: 'pass', observed: 'As it should be.', evidence: [{ quote }], checks: [] }
      const { text } = yield callOwn('report_step', report)
      if (text.includes('Stop:')) return 'I was told to stop.'
    }
    if (left !== undefined) yield { kind: 'stop', id: left }
    return 'All steps are done.'
  })
}

const product = `import { readFileSync } from 'node:fs'
const words = readFileSync(process.argv[2], 'utf8').split(/\\s+/).filter(Boolean)
console.log('imported ' + words.length + ': ' + words.join(' '))
`

const server = `import { createServer } from 'node:http'
createServer((_, answer) => answer.end('hello from the shop')).listen(process.argv[2], '127.0.0.1')
`

const client = `const answer = await fetch('http://127.0.0.1:' + process.argv[2])
console.log('It says: ' + (await answer.text()))
`

const head = "---\ncwd: copy\nallow: ['Bash(*)', 'Write', 'Edit']\nnetwork: true\n---\n\n"

function specs(own: number, agents: number): Readonly<Record<string, string>> {
  return {
    'files.test.md': `${head}# Files\n\n## Import\n\nWrite a list and import it.\n\n## Again\n\nImport another list.\n`,
    'served.test.md': `${head}# Served\n\n## Setup\n\n\`\`\`sh run background wait=port:${own}\nnode server.mjs ${own}\n\`\`\`\n\n## Ask\n\nAsk the server.\n`,
    'serving.test.md': `${head}# Serving\n\n## Start\n\nStart the server and ask it.\n\n## Ask\n\nAsk it again.\n`,
    'import.mjs': product,
    'server.mjs': server.replace('process.argv[2]', 'Number(process.argv[2])'),
    'ask.mjs': client,
    'ports.txt': `${own} ${agents}\n`,
  }
}

const run = (command: string): ModelAction => ({ kind: 'command', command })

function actsWith(own: number, agents: number): Readonly<Record<string, Acts>> {
  return {
    files: {
      Import: [{ kind: 'write', file: 'list.txt', content: 'milk\ntea\n' }, run('node import.mjs list.txt')],
      Again: [{ kind: 'write', file: 'deep/list.txt', content: 'eggs' }, run('node import.mjs deep/list.txt')],
    },
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

describe.skipIf(skipReason !== '').each([claude, codex])(
  `what $title did with its own tools${skipReason}`,
  ({ agent, title: _title, ...more }) => {
    test('is recorded and repeated, or told of', async () => {
      const [own, agents] = [await freePort(), await freePort()]
      const setup = { script: play(actsWith(own, agents)), options: { agent }, files: specs(own, agents) }
      await using real = await createRealProject({ ...more, ...setup })
      const { project, env, model } = real
      const made = await project.mdtest(['record', '--agent', agent, '--concurrency', '3'], { env })
      const files = await project.read('files.recording.md')
      expect(files).toContain('```text file=list.txt\nmilk\ntea\n```\n\n```console\n$ node import.mjs list.txt\n')
      // The patches of codex end each line.
      if (agent === 'claude') expect(files).toContain('$ mkdir -p deep && printf %s eggs > deep/list.txt\n')
      else expect(files).toContain('```text file=deep/list.txt\neggs\n```')
      expect(await project.read('served.recording.md')).toContain(
        `$ node ask.mjs ${own}\nIt says: hello from the shop\n`,
      )
      const [serving, left] = ['serving.recording.md', `node server.mjs ${agents}`]
      if (agent === 'claude') {
        expect(await project.read(serving)).toContain(`\`\`\`sh background wait=port:${agents}\n${left}\n\`\`\``)
        expect(made.exitCode).toBe(0)
      } else {
        await expect(project.read(serving)).rejects.toThrow('ENOENT')
        expect(made.all).toContain(
          `serving.test.md:9 "Start": NEEDS_THE_MODEL: It cannot be repeated without the agent: \`${left}\` was left running.`,
        )
        expect(made.all).toContain(
          'kept back: serving.test.md:13 "Ask": nobody can try it without the agent of the step',
        )
        await project.remove('serving.test.md')
        expect(made.exitCode).toBe(1)
      }
      const asked = model.conversations.length
      const replayed = await project.mdtest(['run', '--replay', 'only', '--concurrency', '3'], { env })
      expect(replayed.all).toContain(agent === 'claude' ? '5 reproduced' : '3 reproduced')
      expect(replayed.exitCode).toBe(0)
      expect(model.conversations).toHaveLength(asked)
      expect(await real.leftovers()).toEqual([])
    })
  },
)
