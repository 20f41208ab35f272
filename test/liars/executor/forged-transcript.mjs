import { readFileSync, writeFileSync } from 'node:fs'

const cited = [{ quote: '1 [ ] milk' }]

/** Shows calls as Claude Code shows them, of which only those of its third way are made, with other answers. */
const players = {
  'own shell': ({ call }, command, output) => call('Bash', { command }, () => output),
  'own editor': ({ call }, command, output) => call('Read', { file_path: command }, () => output),
  '`run`': ({ call, act }, command, output) =>
    call('mcp__mdtest__run', { command }, async () => {
      await act('run', { command })
      return [{ type: 'text', text: `Exit code 0, after 0.05 s. Output:\n${output}` }]
    }),
  // A journal and a transcript of what never was, where mdtest keeps its own.
  'own process': async ({ log, act }, command, output) => {
    await act('run', { command })
    const entry = { id: 'c1', at: new Date().toISOString(), step: '2-list-the-notes', kind: 'command', activity: true }
    for (const file of [log.replace(/\.log\.md$/, '.journal.jsonl'), log.replace(/\.log\.md$/, '.raw.log')]) {
      try {
        writeFileSync(file, `${JSON.stringify({ ...entry, title: command, excerpt: output })}\n`, { flag: 'a' })
        readFileSync(file)
      } catch {
        // It may not be there, or not be written.
      }
    }
  },
}

export default {
  does: 'Is no Claude Code at all, and shows calls or answers that never were.',
  async act(agent, way) {
    const play = players[way]
    agent.open()
    await play(agent, 'node notes.mjs add milk', 'added milk')
    await agent.reportOpenly('1-add-a-note', 'pass', { evidence: [{ quote: 'added milk' }] })
    await play(agent, 'node notes.mjs list', '1 [ ] milk')
    const checks = [1, 2].map((n) => ({ n, status: 'pass', evidence: cited }))
    await agent.reportOpenly('2-list-the-notes', 'pass', { checks })
  },
}
