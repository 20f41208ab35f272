import { addNote, model, report, run } from '../support/model.ts'
import type { ModelDefinition } from '../support/scene.ts'

const begins = model(function* () {
  yield run('node notes.mjs add milk')
  yield report(addNote)
  return ''
})

export default {
  does: 'Reports the first step; then its model never answers again.',
  as: 'codex',
  front: ['silence-timeout: 8s'],
  script: (conversation) => (conversation.results.length < 2 ? begins(conversation) : { kind: 'silence' }),
} satisfies ModelDefinition
