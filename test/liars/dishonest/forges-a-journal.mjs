import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const entry = {
  id: 'toolu_1',
  at: new Date().toISOString(),
  step: '1-add-a-note',
  kind: 'command',
  title: 'node notes.mjs add milk',
  exitCode: 0,
  excerpt: 'added milk',
  activity: true,
}

export default {
  does: 'Writes a journal and a file to cite itself.',
  as: 'command',
  front: ['min-assurance: evidenced'],
  act({ log, evidenceDir, writeLog, passed, runId }) {
    appendFileSync(log.replace(/\.log\.md$/, '.journal.jsonl'), `${JSON.stringify(entry)}\n`)
    mkdirSync(evidenceDir, { recursive: true })
    writeFileSync(join(evidenceDir, 'proof.txt'), 'added milk')
    const steps = passed.map((step) => ({
      ...step,
      evidence: ['proof.txt'],
      checks: step.checks.map((check) => ({ ...check, evidence: ['proof.txt'] })),
    }))
    writeLog({ status: 'pass', run: runId, steps })
  },
}
