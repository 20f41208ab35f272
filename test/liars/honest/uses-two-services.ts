import { addNote, listNotes, byModel, report, run } from '../support/model.ts'
import { scenePort } from '../support/scene-port.ts'
import { server } from '../support/served-notes.ts'

const ports = [scenePort(41), scenePort(42)] as const // a pair

export default {
  // Else Codex's sandbox lets no command reach a service.
  front: ['network: true'],
  files: server,
  spec: `# Notes

## Setup

\`\`\`sh run background wait=port:${ports[0]}
node server.mjs ${ports[0]}
\`\`\`

\`\`\`sh run background wait=port:${ports[1]}
(while :; do node server.mjs ${ports[1]}; sleep 0.1; done) & wait
\`\`\`

## Add a note

Run \`curl -s -d milk http://127.0.0.1:${ports[0]}/\` and the same with port ${ports[1]}. Both print "added milk".

\`\`\`sh verify
for port in ${ports.join(' ')}; do curl -sS http://127.0.0.1:$port/ | grep milk || exit 1; done
\`\`\`

## List the notes

Look at both lists, with \`curl -s\`.

- [ ] The first one is "1 [ ] milk"
- [ ] So is the second one

\`\`\`sh verify
for port in ${ports.join(' ')}; do curl -sS http://127.0.0.1:$port/ | grep milk || exit 1; done
\`\`\`
`,
  ...byModel(
    'claude',
    'Uses two services of the spec, one of which starts the other one anew at each crash.',
    function* () {
      for (const port of ports) yield run(`curl -s -d milk http://127.0.0.1:${port}/`)
      yield report(addNote)
      for (const port of ports) yield run(`curl -s http://127.0.0.1:${port}/`)
      yield report(listNotes)
    },
  ),
}
