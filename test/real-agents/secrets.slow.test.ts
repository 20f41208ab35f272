import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../support/json-report.ts'
import type { ModelScript } from '../support/model-server.ts'
import { readTask } from '../support/scripts/read-task.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { findSecret, secret } from '../support/secret-forms.ts'
import { readCommandResult } from '../support/tool-dialect.ts'
import { claude, codex, createRealProject, skipReason } from './real-project.ts'

/** Prints the secret with a command, cites and tells it, and writes it into a log and a file of its own. */
const gossips: ModelScript = playTurn(function* (conversation) {
  const task = readTask(conversation.prompt)
  const logFile = task?.logFile ?? ''
  const printed = readCommandResult(yield { kind: 'command', command: 'node print.mjs' }, conversation)
  const value = printed.kind === 'ran' ? printed.output.trim() : 'not printed'
  const page = logFile.replace('.log.md', '/page.txt')
  yield { kind: 'write', file: page, content: `The page says ${value}.` }
  yield { kind: 'write', file: logFile, content: `---\nstatus: fail\n---\nI saw ${value}.\n` }
  const evidence = [{ quote: value }, 'page.txt']
  yield callOwn('report_step', { step: task?.steps[0]?.id, status: 'pass', observed: `It printed ${value}`, evidence })
  yield callOwn('report_step', { step: task?.steps[1]?.id, status: 'fail', observed: `Still ${value}` })
  return `I saw ${value} twice.`
})

const files = {
  'print.mjs': 'console.log(process.env.SHOP_CRED)\n',
  'shop.test.md': '# Shop\n\n## Look\n\nLook at the shop.\n\n## Buy\n\nBuy a mug.\n',
}

describe.skipIf(skipReason !== '').each([claude, codex])(`$title${skipReason}`, ({ title: _title, agent, ...more }) => {
  test('prints a secret, reports it and writes it down: it is nowhere', async () => {
    await using real = await createRealProject({
      ...more,
      options: { agent, secrets: ['SHOP_CRED'], allow: ['Bash(node *)'] },
      script: gossips,
      files,
    })
    const env = { ...real.env, SHOP_CRED: secret }
    const { stdout, all } = await real.project.vitest(['run', '--reporter=json', '--reporter=verbose'], { env })
    expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['pass evidenced', 'fail STEP_FAILED'])
    expect(JSON.stringify(real.model.conversations.at(-1)?.results)).toContain('s3cr')
    expect(await findSecret(secret, { folder: real.project.dir, texts: { all, stdout } })).toEqual([])
    const logs = readdirSync(real.project.path('shop.logs'))
    for (const kind of ['.log.md', '.journal.jsonl', '.raw.log']) {
      const text = await real.project.read(`shop.logs/${logs.find((name) => name.endsWith(kind))}`)
      expect(text).toContain('***SHOP_CRED***')
      expect(text).not.toMatch(/Bearer [0-9a-f]{20}/)
    }
  })
})
