import { byModel, report, run } from '../support/model.ts'
import { scenePort } from '../support/scene-port.ts'
import { server, untilServed } from '../support/served-notes.ts'

const address = `127.0.0.1:${scenePort(32)}`

export default {
  front: ['network: true'],
  files: server,
  spec: `# Notes

## Start the server

Start \`node server.mjs ${scenePort(32)}\` and leave it running.

\`\`\`sh verify
${untilServed(address)}; curl -sS --max-time 10 http://${address}/
\`\`\`

## Add a note

Run \`curl -s -d milk http://${address}/\`. It prints "added milk".
`,
  ...byModel('codex', 'Starts a server in a command that goes on, and reports while it runs.', function* () {
    yield { kind: 'command', command: `node server.mjs ${scenePort(32)}`, isLeft: true }
    yield report('1-start-the-server')
    yield run(`curl -s -d milk http://${address}/`)
    yield report('2-add-a-note', { evidence: [{ quote: 'added milk' }] })
  }),
}
