import { addNote, byModel, report, run } from '../support/model.ts'
import { scenePort } from '../support/scene-port.ts'
import { server } from '../support/served-notes.ts'

const port = scenePort(31)

export default {
  files: server,
  spec: `# Notes

## Add a note

Start \`node server.mjs ${port}\` in the background and leave it running. Then run \`curl -s -d milk http://127.0.0.1:${port}/\`.
It prints "added milk".

\`\`\`sh verify
curl -sS --max-time 10 http://127.0.0.1:${port}/ | grep milk
\`\`\`
`,
  ...byModel(
    'claude',
    'Starts the server as the step asks and leaves it running for the `verify` block.',
    function* () {
      yield run(
        `nohup node server.mjs ${port} >/dev/null 2>&1 &\nuntil curl -s -d milk http://127.0.0.1:${port}/; do sleep 0.1; done`,
      )
      yield report(addNote)
    },
  ),
}
