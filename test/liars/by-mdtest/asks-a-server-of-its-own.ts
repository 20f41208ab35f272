import { freePort } from '../../support/free-port.ts'
import { byModel, report, run } from '../support/model.ts'
import { server } from '../support/served-notes.ts'

const port = await freePort()
const client = `const [url, ...words] = process.argv.slice(2)
const answer = await fetch(url, words.length > 0 ? { method: 'POST', body: words.join(' ') } : {})
console.log(answer.status, (await answer.text()).trim())
`

export default {
  front: ["allow: ['Bash(node server.mjs *)', 'Bash(node client.mjs *)', 'Bash(curl *)']"],
  spec: `# Notes

## Add a note

Start \`node server.mjs ${port}\` in the background. A \`POST\` of milk to \`http://127.0.0.1:${port}/\` is answered by "added milk".

## List the notes

\`GET\` lists "1 [ ] milk".
`,
  files: { ...server, 'client.mjs': client },
  ...byModel(
    'codex',
    'Starts the product in the background, asks it by two clients, looks at what it wrote, and ends it.',
    function* () {
      const url = `http://127.0.0.1:${port}/`
      yield run(`node server.mjs ${port} > "$MDTEST_SCRATCH/server.txt" 2>&1 &`)
      yield run(`for i in 1 2 3 4 5 6 7 8 9 10; do curl -sf ${url} >/dev/null && break; sleep 0.3; done; jobs`)
      yield run(`node client.mjs ${url} milk`)
      yield report('1-add-a-note', { evidence: [{ quote: '200 added milk' }] })
      yield run(`curl -s -w '\\nstatus %{http_code}\\n' ${url}`)
      yield run('cat "$MDTEST_SCRATCH/server.txt"')
      yield run('kill %1; wait; jobs')
      yield report('2-list-the-notes', { checks: [], evidence: [{ quote: '1 [ ] milk' }] })
    },
  ),
}
