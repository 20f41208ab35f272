import { addNote, byModel, report, run } from '../support/model.ts'
import { scenePort } from '../support/scene-port.ts'
import { server, servedSpec, untilFree, untilServed } from '../support/served-notes.ts'

const port = scenePort(52)
const standIn = `require("http").createServer((_, r) => r.end("1 [ ] milk\\n")).listen(${port}, "127.0.0.1")`

export default {
  files: server,
  spec: servedSpec(port).replace(`node server.mjs ${port}`, `node server.mjs ${port} || true\nsleep 300`),
  ...byModel(
    'claude',
    "Ends a service's program and serves its port by a child without its environment.",
    function* () {
      yield run(`curl -s -d milk http://127.0.0.1:${port}/`)
      yield run(
        `pkill -f '^node server.mjs ${port}'; ${untilFree(`127.0.0.1:${port}`)}; (env -i PATH="$PATH" setsid node -e '${standIn}' </dev/null >/dev/null 2>&1 &); ${untilServed(`127.0.0.1:${port}`)}`,
      )
      yield report(addNote)
    },
  ),
}
