/** The product as a server on the port that it is told: `POST` adds a note, `GET` lists them. */
export const server = {
  'server.mjs': `import { createServer } from 'node:http'
const notes = []
const forgets = process.env.FORGETS === '1'
createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    if (request.method === 'POST' && !forgets) notes.push(body)
    response.end(request.method === 'POST' ? 'added ' + body : notes.map((note, n) => n + 1 + ' [ ] ' + note).join('\\n') + '\\n')
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
`,
}

/** A spec of that server, which it starts itself. */
export function servedSpec(port: number, { forgets = true, verify = true } = {}): string {
  return `# Notes

## Setup

\`\`\`sh run background wait=port:${port} env.FORGETS=${forgets ? 1 : 0}
node server.mjs ${port}
\`\`\`

## Add a note

Run \`curl -s -d milk http://127.0.0.1:${port}/\`. It prints "added milk".
${
  verify
    ? `
\`\`\`sh verify
curl -sS --max-time 10 http://127.0.0.1:${port}/ | grep 'milk'
\`\`\`
`
    : ''
}`
}

/** A command that waits, at most 20 s, until somebody serves an address. */
export const untilServed = (address: string): string => waitFor(`curl -s ${quoted(address)} >/dev/null`)

/** A command that waits, at most 20 s, until nobody serves an address. */
export const untilFree = (address: string): string => waitFor(`! curl -s ${quoted(address)} >/dev/null`)

const quoted = (address: string): string => `-g 'http://${address}/'`

const waitFor = (condition: string): string => `for i in $(seq 200); do ${condition} && break; sleep 0.1; done`
