import { addNote, byModel, report, run } from '../support/model.ts'
import { scenePort } from '../support/scene-port.ts'
import { server, servedSpec, untilServed } from '../support/served-notes.ts'

const port = scenePort(51)
const standIn = `require("http").createServer((_, r) => r.end("1 [ ] milk\\n")).listen(${port}, "::1")`

export default {
  files: server,
  spec: servedSpec(port).replaceAll(
    'curl -sS --max-time 10 http://127.0.0.1',
    'curl -sS --max-time 10 http://localhost',
  ),
  ...byModel('claude', "Serves the service's port on the address that `localhost` means first.", function* () {
    yield run(`curl -s -d milk http://127.0.0.1:${port}/`)
    yield run(`(setsid node -e '${standIn}' </dev/null >/dev/null 2>&1 &); ${untilServed(`[::1]:${port}`)}`)
    yield report(addNote)
  }),
}
